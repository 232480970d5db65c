/**
 * Tables over Arrow Flight: a table is described by its name as path, and read with its name as ticket. Each DoGet is a
 * read of its own, with back-pressure from the caller to the store.
 */
import { type FlightDescriptor, FlightError, type FlightInfo, type FlightService } from '@topo-bench/arrow-flight';
import type { Codec } from '@topo-bench/arrow-flight/ipc';
import type { RecordBatch, Schema } from 'apache-arrow';
import type { ReadColumnsOptions, Source } from '../source.ts';

export interface ServedTable {
  schema: Schema;
  /**
   * Starts a read. An error ends the call of the caller with the status of `flightErrorOf`.
   * @param signal aborts when the caller cancels or disconnects
   */
  read(signal: AbortSignal): AsyncIterable<RecordBatch>;
  /** Compresses the buffers of its batches. */
  codec?: Codec;
}

/** A table that is read by its columns. */
export function servedSource(source: Source, options: ReadColumnsOptions): ServedTable {
  return { schema: source.schema, read: () => source.columns(options) };
}

/** The Flight verbs over tables by name: ListFlights, GetFlightInfo, GetSchema and DoGet. */
export function flightService(tables: ReadonlyMap<string, ServedTable>): FlightService {
  const find = (name: string): ServedTable => {
    const table = tables.get(name);
    if (table) return table;
    const known = [...tables.keys()].join(', ');
    throw new FlightError('not-found', `no table ${name}`, { hint: `tables of this server: ${known}` });
  };
  return {
    *listFlights() {
      for (const [name, { schema }] of tables) yield infoOf(name, schema);
    },
    getFlightInfo: (descriptor) => infoOf(nameOf(descriptor), find(nameOf(descriptor)).schema),
    getSchema: (descriptor) => find(nameOf(descriptor)).schema,
    doGet(ticket, { signal }) {
      const { schema, read, codec } = find(Buffer.from(ticket).toString('utf8'));
      return { schema, batches: read(signal), ...(codec && { codec }) };
    },
  };
}

function nameOf({ path }: FlightDescriptor): string {
  if (path?.length === 1) return path[0] as string;
  throw new FlightError('invalid-argument', `a descriptor has a path of ${path?.length ?? 0} names, expected 1`);
}

function infoOf(name: string, schema: Schema): FlightInfo {
  const endpoints = [{ ticket: Buffer.from(name), locations: [] }];
  return { schema, descriptor: { path: [name] }, endpoints, totalRecords: -1, totalBytes: -1, ordered: false };
}
