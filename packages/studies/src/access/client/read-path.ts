/** The port of a variant inside the client: it reads until the table, or its first row, is complete. */
import type { ReadOutcome } from './messages.ts';
import type { PartClock } from './part-clock.ts';
import type { RowCheck } from './row-check.ts';

export interface ReadTools {
  clock: PartClock;
  check: RowCheck;
  signal: AbortSignal;
  /** Number of rows after which the read ends; undefined: all. */
  limitRows: number | undefined;
}

export interface PathResult {
  /** Sender of everything that the client read: a store, or a program. */
  sender: string;
  /** Bytes on wires between other roles; of the wire to the client, if a program counted them. */
  wireBytes?: Record<string, number>;
  /** Without the client. */
  roles: ReadOutcome['roles'];
}

export interface ReadPath {
  /** The measured read. Every moment of it is in one part of the clock. */
  read(tools: ReadTools): Promise<PathResult>;
  /** Runs the code of the read in the client, so that it is compiled. Its rows do not count. */
  warmUp?(tools: ReadTools): Promise<void>;
  /** Ends and removes what it started. */
  close(): Promise<void>;
}
