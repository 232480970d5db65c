/** The port of a variant inside the client: it reads until the table, or its first row, is complete. */
import type { Access } from '../settings-schema.ts';
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

/** The limit of the measured read. */
export function limitOf({ query }: Pick<Access, 'query'>): number | undefined {
  return query === 'one-row' ? 1 : undefined;
}

/** The limit of launched programs. Those that wait are launched in the warm-up, for the measured read. */
export function programLimit(
  settings: Pick<Access, 'query'>,
  tools: ReadTools,
  held: boolean,
): Partial<Record<'limitRows', number>> {
  const limitRows = held ? limitOf(settings) : tools.limitRows;
  return limitRows === undefined ? {} : { limitRows };
}

export interface PathResult {
  /** Sender of everything that the client read: a store, or a program. */
  sender: string;
  /** Bytes on wires between other roles; of the wire to the client, if a program counted them. */
  wireBytes?: Record<string, number>;
  /** Without the client. */
  roles: ReadOutcome['roles'];
  /** Time in which a server made record batches of rows, in µs. It is also part of the read. */
  conversionUs?: number;
}

export interface ReadPath {
  /** The measured read. Every moment of it is in one part of the clock. */
  read(tools: ReadTools): Promise<PathResult>;
  /** Runs the code of the read in the client, so that it is compiled. Its rows do not count. */
  warmUp?(tools: ReadTools): Promise<void>;
  /** Ends and removes what it started. */
  close(): Promise<void>;
}
