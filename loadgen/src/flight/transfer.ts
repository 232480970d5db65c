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
  /** Rules decide what arrives: rows and values may be missing. */
  governed: boolean;
  /** Streams move parts of the table until their rate has settled; `maxUs` of 0: no warm-up. */
  warmup: { windowUs: number; maxUs: number; change: number };
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
  /** Values compared with the table. */
  checked: number;
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
