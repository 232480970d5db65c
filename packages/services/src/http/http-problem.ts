/** A request that HTTP alone refuses: its status, and a JSON body that says why. The same texts whatever the framework. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly status: number,
    /** Short and stable, for programs. */
    readonly error: string,
    message: string,
    /** All findings about the body, when it was understood but is not valid. */
    readonly problems: readonly string[] = [],
  ) {
    super(message);
  }

  get json(): string {
    const { error, message, problems } = this;
    return JSON.stringify(problems.length > 0 ? { error, message, problems } : { error, message });
  }
}

export const problems = {
  unknownRoute: new HttpProblem(404, 'not-found', 'no such route'),
  tooLarge: (limitBytes: number) => new HttpProblem(413, 'too-large', `the body is larger than ${limitBytes} bytes`),
  notJson: new HttpProblem(415, 'unsupported-media-type', 'expected content-type: application/json in UTF-8, not compressed'),
  brokenJson: (reason: string) => new HttpProblem(400, 'malformed', `the body is not JSON: ${reason}`),
  brokenRequest: new HttpProblem(400, 'malformed', 'the request could not be read'),
  internal: new HttpProblem(500, 'internal', 'a fault of topo-bench; the log of this role says more'),
} as const;
