/** A failed hop. Its kind and name form the counted error, for example `unreachable:router-2`. */
export type HopFailureKind = 'unreachable' | 'breaker' | 'deadline' | 'no-rules' | 'bad-answer' | 'internal';

export class HopFailure extends Error {
  override readonly name = 'HopFailure';

  constructor(
    readonly kind: HopFailureKind,
    readonly hop: string,
    message: string,
    /** Whether the message was sent, so that its receiver may have taken it. */
    readonly isSent = false,
    /** What its sender had granted it; 0 unless that was over. */
    readonly withinUs = 0,
  ) {
    super(message);
  }

  /** Whether there was no connection to the receiver, or none any more, or none was tried. */
  get isUnreachable(): boolean {
    return this.kind === 'unreachable' || this.kind === 'breaker';
  }

  /** As counted, and as in the gateway's answer. */
  get error(): string {
    return `${this.kind}:${this.hop}`;
  }
}

/** @param withinUs what the sender had granted */
export function deadlinePassed(hop: string, withinUs: number): HopFailure {
  if (withinUs <= 0) return new HopFailure('deadline', hop, `no time was left to call ${hop}`);
  const message = `${hop} did not answer within ${Math.round(withinUs / 1000)} ms`;
  return new HopFailure('deadline', hop, message, true, withinUs);
}
