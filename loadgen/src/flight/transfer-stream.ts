/** The port of one stream of a transfer, implemented by the two directions of Flight and the formats of HTTP. */
import type { HttpErrorKind } from '../error-kind.ts';
import type { StreamTally } from './stream-tally.ts';

export interface TransferStream {
  /** Connects and fetches everything needed to start at once. */
  prepare(signal: AbortSignal): Promise<void>;
  /**
   * Moves a part of the table for the warm-up, to its end: the service would still be busy with an aborted stream when
   * the measurement begins.
   * @param onRows called with the number of rows as they move
   * @param isOver whether to end soon
   * @param signal aborts a stalled stream
   */
  warmUp(onRows: (rows: number) => void, isOver: () => boolean, signal: AbortSignal): Promise<void>;
  /** Moves all rows of the stream. @throws its failure; the tally contains the rows moved until then */
  move(tally: StreamTally, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Kinds of failures that a stream detects itself; see `docs/load.md`. */
export const transferFailureKinds = ['rows-missing', 'cut-off', 'endpoints', 'acknowledgement'] as const;
export type TransferFailureKind = (typeof transferFailureKinds)[number] | HttpErrorKind;

/** A stream failed without an error of the transport. */
export class TransferFailure extends Error {
  readonly kind: TransferFailureKind;

  constructor(kind: TransferFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
