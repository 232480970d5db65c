/** An HTTP error answer: status and JSON body. Its text does not depend on the framework. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly status: number,
    /** Short stable code for programs. */
    readonly error: string,
    message: string,
    /** All problems of a well-formed but invalid request. */
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
  tooLarge: (limitBytes: number) =>
    new HttpProblem(413, 'too-large', `body too large: expected at most ${limitBytes} bytes`),
  notJson: new HttpProblem(
    415,
    'unsupported-media-type',
    'expected content-type: application/json in UTF-8, not compressed',
  ),
  brokenJson: (reason: string) => new HttpProblem(400, 'malformed', `the body is not JSON: ${reason}`),
  brokenQuery: new HttpProblem(400, 'malformed', 'the query is not UTF-8 with %-escapes'),
  brokenRequest: new HttpProblem(400, 'malformed', 'the request could not be read'),
  tooManyBodies: new HttpProblem(503, 'overloaded', 'too many unfinished request bodies; try again later'),
  internal: new HttpProblem(500, 'internal', 'internal error of topo-bench; see the log of this role'),
} as const;
