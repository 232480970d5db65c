/** The port of one stream of a transfer: Flight's two directions and the forms of HTTP implement it. */
import type { HttpErrorKind } from '../error-kind.ts';
import type { StreamTally } from './stream-tally.ts';

export interface TransferStream {
  /** Connects, and learns what it needs to begin at once. */
  prepare(signal: AbortSignal): Promise<void>;
  /**
   * Moves a part of the table, for the warm-up, to its end: what is cut off would still be worked on when the measurement begins.
   * @param onRows is told of rows as they go
   * @param isOver asks for an end soon
   * @param signal cuts off what hangs
   */
  warmUp(onRows: (rows: number) => void, isOver: () => boolean, signal: AbortSignal): Promise<void>;
  /** Moves all rows of the stream. @throws what went wrong; the tally holds what had been moved */
  move(tally: StreamTally, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Kinds of failures that a stream finds itself; see `docs/load.md`. */
export const transferFailureKinds = ['rows-missing', 'cut-off', 'endpoints', 'acknowledgement'] as const;
export type TransferFailureKind = (typeof transferFailureKinds)[number] | HttpErrorKind;

/** A stream did not end as it should, though nothing failed that has a name of its own. */
export class TransferFailure extends Error {
  readonly kind: TransferFailureKind;

  constructor(kind: TransferFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
