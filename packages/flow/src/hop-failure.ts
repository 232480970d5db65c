/** A hop that failed. Its kind and name make the error that is counted, for example `unreachable:router-2`. */
export type HopFailureKind = 'unreachable' | 'deadline' | 'no-rules' | 'bad-answer' | 'internal';

export class HopFailure extends Error {
  override readonly name = 'HopFailure';

  constructor(
    readonly kind: HopFailureKind,
    readonly hop: string,
    message: string,
  ) {
    super(message);
  }

  /** As it is counted and as the gateway's answer carries it. */
  get error(): string {
    return `${this.kind}:${this.hop}`;
  }
}
