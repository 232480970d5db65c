/** What a client of the bench is asked to do, one JSON line each way over its standard input and output. */

export interface Job {
  verb: 'DoGet' | 'DoPut' | 'tcp-get' | 'tcp-put';
  /** Of the server: a Flight URI, or `host:port` for plain TCP. */
  location: string;
  /** Connections, each with one call at a time. */
  streams: number;
  /** Rows of each message; a row is four 64-bit numbers. */
  rows: number;
  /** Messages of each stream. */
  messages: number;
}

export interface JobResult {
  /** From the first call until the last row has arrived at its receiver. */
  seconds: number;
  /** Rows that arrived, as their receiver counted them. */
  rows: number;
}

export const rowBytes = 32;

/** What names the source of a DoGet, or the upload of a DoPut. */
export function ticketOf({ rows, messages }: Job): string {
  return `${rows} ${messages}`;
}
