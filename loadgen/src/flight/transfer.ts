/** The request of a bulk transfer and the records of its streams. Plain data: both travel between processes. */
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { FlightAccess } from './flight-access.ts';

/** The first ones are the defaults. */
export const transferProtocols = ['flight', 'arrow', 'ndjson', 'json'] as const;
export type TransferProtocol = (typeof transferProtocols)[number];
export const transferOperations = ['get', 'put', 'exchange'] as const;
export type TransferOperation = (typeof transferOperations)[number];

export interface TransferRequest {
  kind: 'transfer';
  protocol: TransferProtocol;
  operation: TransferOperation;
  /** Number of parallel streams over all generator processes, each with a connection of its own. */
  streams: number;
  /** Name of the service: the path of its flight. */
  service: string;
  /** The table and its seed, from which the expected rows are computed. */
  table: ArrowService;
  tableSeed: number;
  /** Access over Flight; HTTP needs no log-in. */
  access?: FlightAccess;
  /** Result of the rules for the table; absent without enforcement. */
  treatment?: RightTreatment;
  /** Key of the digests in the service's report of kept rows. */
  digestKey: string;
  /** Warm-up: streams move parts of the table until their rate has settled; `maxUs` of 0 disables it. */
  warmup: { windowUs: number; maxUs: number; change: number };
}

/** Decisions of an oracle about the rows of a table. */
export interface RightTreatment {
  /** Treatments, indexed by code. */
  treatments: RowTreatment[];
  /** For each distinct batch of the table: the codes of its rows. */
  codes: Uint16Array[];
  /** Columns in which some rule may put pseudonyms: all of their values arrive as text. */
  textColumns: string[];
  /** Key of the run for pseudonyms. */
  pseudonymKey: string;
}

export interface RowTreatment {
  passes: boolean;
  /** Names of columns that lose their value. */
  remove: string[];
  /** Names of columns whose value becomes a pseudonym, unless it is removed. */
  pseudonymise: string[];
}

/** The record of one stream. */
export interface StreamRecord {
  /** From 0. */
  stream: number;
  /** Rows that arrived; with `put`, rows that the service acknowledged. */
  rows: number;
  /** Bytes of the columns in Arrow's memory layout. */
  bytes: number;
  /** Bytes of the body over HTTP. */
  wireBytes?: number;
  /** Time from the start to the first batch, or to its acknowledgement; NaN without one. */
  firstBatchUs: number;
  /** Number of values compared as a whole. Presence of values is checked for every row in addition. */
  checked: number;
  /** Number of rows and values that are missing or wrong. */
  wrong: number;
  /** Description of the first wrong row or value. */
  wrongExample?: string;
  /** Failure of the stream: a gRPC status, a kind of connection error, `timeout`, `http-503`, `rows-missing`. */
  error?: { kind: string; message: string };
}

export interface TransferredShard {
  /** Whether the rate settled before the bound of the warm-up. */
  warm: boolean;
  streams: StreamRecord[];
}
