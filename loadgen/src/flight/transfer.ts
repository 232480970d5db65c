/** What a bulk transfer is asked to do, and what each of its streams did. Plain data: both travel between processes. */
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { TransferOperation, TransferProtocol } from '@topo-bench/core/schema/experiment';
import type { FlightAccess } from './flight-access.ts';

export interface TransferRequest {
  kind: 'transfer';
  protocol: TransferProtocol;
  operation: TransferOperation;
  /** In parallel, over all generator processes; each has a connection of its own. */
  streams: number;
  /** Name of the service: the path of its flight. */
  service: string;
  /** What the service serves, and the seed it has it from: what arrives is compared with it. */
  table: ArrowService;
  tableSeed: number;
  /** How its streams get in over Flight; over HTTP nobody is asked. */
  access?: FlightAccess;
  /** What rules must leave of the table; absent where nothing is enforced. */
  treatment?: RightTreatment;
  /** Key of the digests in which the service reports what it kept of an upload. */
  digestKey: string;
  /** Streams move parts of the table until their rate has settled; `maxUs` of 0: no warm-up. */
  warmup: { windowUs: number; maxUs: number; change: number };
}

/** What an oracle decided about the rows of a table. */
export interface RightTreatment {
  /** By code. */
  treatments: RowTreatment[];
  /** For each different batch of the table: the codes of its rows. */
  codes: Uint16Array[];
  /** Columns in which some rule may put pseudonyms: all of their values arrive as text. */
  textColumns: string[];
  /** Key of the pseudonyms of the run. */
  pseudonymKey: string;
}

export interface RowTreatment {
  passes: boolean;
  /** Names of columns that lose their value. */
  remove: string[];
  /** Names of columns whose value becomes a pseudonym, unless it is removed. */
  pseudonymise: string[];
}

/** One stream of a transfer. */
export interface StreamRecord {
  /** From 0. */
  stream: number;
  /** That arrived; with `put` those that the service acknowledged. */
  rows: number;
  /** Of their columns, as they lie in Arrow's buffers. */
  bytes: number;
  /** Of the body over HTTP. */
  wireBytes?: number;
  /** From its start to its first batch, or to the acknowledgement of it; NaN without one. */
  firstBatchUs: number;
  /** Values compared as a whole; that every row has the values that it must have, and no others, is checked besides. */
  checked: number;
  /** Rows and values that are missing, or that are other than they must be. */
  wrong: number;
  /** The first of them in words. */
  wrongExample?: string;
  /** Why it did not end as it should: a gRPC status, a kind of connection error, `timeout`, `http-503`, `rows-missing`. */
  error?: { kind: string; message: string };
}

export interface TransferredShard {
  /** Whether the rate had settled before the bound of the warm-up. */
  warm: boolean;
  streams: StreamRecord[];
}
