/**
 * The language of the bench's processes, one JSON line each way over standard input and output. A client is given a
 * job, which it prepares, and is then told to go; every process accounts for what it did, so that both sides of a
 * comparison can be checked.
 */

/**
 * How a receiver takes batches: with memory that the next batch uses again (ours alone), with memory of their own, or
 * with memory of their own until the last one has come. pyarrow has no `borrowed`, and owns batches then.
 */
export type Taking = 'borrowed' | 'owned' | 'kept';

export interface Job {
  verb: 'DoGet' | 'DoPut' | 'tcp-get' | 'tcp-put';
  /** Addresses of the server's processes, which streams take in turn: Flight URIs, or `host:port` for plain TCP. */
  locations: readonly string[];
  /** Connections, each with one call at a time. */
  streams: number;
  /** Rows of each message; a row is four 64-bit numbers. */
  rows: number;
  /** Messages of each stream. */
  messages: number;
  taking: Taking;
}

/** `prepare` connects, builds what is to be sent, and makes each call of the job once; `go` makes them again, timed. */
export type Order = { prepare: Job } | 'go' | 'account';

export interface JobResult {
  /** From the first call until the last row has arrived at its receiver. */
  seconds: number;
  /** Rows that arrived, as their receiver counted them. */
  rows: number;
}

/** What a process has done since it started. */
export interface Account {
  /** Calls by verb and ticket. */
  calls: Record<string, number>;
  /** Bytes of columns. */
  sentBytes: number;
  receivedBytes: number;
  /** Batches, and tables of batches, that were built and not taken from those that are there. */
  built: number;
  cpuSeconds: number;
}

export const rowBytes = 32;

/** The ticket of a DoGet, or the path of a DoPut. */
export function ticketOf({ rows, messages, taking }: Pick<Job, 'rows' | 'messages' | 'taking'>): string {
  return `${rows} ${messages} ${taking}`;
}

export function readTicket(ticket: Uint8Array | string): Pick<Job, 'rows' | 'messages' | 'taking'> {
  const [rows, messages, taking] = Buffer.from(ticket).toString().split(' ');
  return { rows: Number(rows), messages: Number(messages), taking: taking as Taking };
}
