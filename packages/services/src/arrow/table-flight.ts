/**
 * The table of a service as a flight. DoGet serves it in parallel parts. DoPut applies the rules to an upload, counts
 * and acknowledges it, then drops it, as a service drops a processed payload. DoExchange returns the rows that the
 * rules permit.
 */
import { FlightError, type FlightInfo, type FlightService } from '@topo-bench/arrow-flight';
import { BatchMemory, KeptColumns, reportedColumn, type SeededTable } from '@topo-bench/columns';
import type { Schema } from 'apache-arrow';
import type { RoleCounters } from '../control/role-counters.ts';
import { type FlightRequest, readDescriptor, readTicket, writeTicket } from './flight-requests.ts';
import type { ServedColumns } from './served-columns.ts';

export interface TableFlightOptions {
  /** Name of the service: the path of its flight. */
  name: string;
  table: SeededTable;
  columns: ServedColumns;
  counters: RoleCounters;
  /** Number of parts for a request that does not set it. */
  endpoints: number;
  /** Key of the digests in an upload's report: `RoleSecrets.digestKey`. */
  digestKey: string;
}

export function tableFlight({
  name,
  table,
  columns,
  counters,
  endpoints,
  digestKey,
}: TableFlightOptions): FlightService {
  const infoOf = (request: FlightRequest, descriptor: FlightInfo['descriptor']): FlightInfo => {
    const { purpose } = request;
    const parts = request.endpoints ?? endpoints;
    const { schema } = columns.gate(table.schema, purpose);
    return {
      schema,
      descriptor,
      endpoints: Array.from({ length: parts }, (_, part) => {
        const ticket = writeTicket({ service: name, part, parts, ...(purpose !== undefined && { purpose }) });
        return { ticket, locations: [] };
      }),
      // The number of permitted rows is not known before the rules have run.
      totalRecords: columns.decides ? -1 : table.rows,
      totalBytes: -1,
      ordered: true,
    };
  };
  return {
    *listFlights() {
      yield infoOf({}, { path: [name] });
    },
    getFlightInfo: (descriptor) => infoOf(readDescriptor(descriptor, name), descriptor),
    getSchema: (descriptor) => columns.gate(table.schema, readDescriptor(descriptor, name).purpose).schema,
    doGet(ticket, { signal }) {
      const { part, parts, purpose } = readTicket(ticket, name);
      const source = columns.open(table, purpose, part, parts);
      return { schema: source.schema, batches: counted(source.chunks(signal), counters) };
    },
    async doPut({ descriptor, schema, borrowedChunks, acknowledge }) {
      const { purpose } = readDescriptor(descriptor, name);
      requireSchema(schema, table.schema);
      const gate = columns.gate(schema, purpose);
      const names = gate.schema.fields.map((field) => field.name);
      await whileInFlight(counters, async () => {
        const rows = { taken: 0, passed: 0 };
        const kept = new KeptColumns(names, digestKey);
        for await (const { batch, appMetadata } of borrowedChunks) {
          const memory = new BatchMemory();
          const passed = batch && gate.pass(batch, memory);
          rows.taken += batch?.numRows ?? 0;
          rows.passed += passed?.numRows ?? 0;
          if (passed) kept.add(passed.numRows, passed.data.children.map(reportedColumn));
          memory.release();
          if (appMetadata) await acknowledge(Buffer.from(JSON.stringify(rows)));
        }
        await acknowledge(Buffer.from(JSON.stringify(kept.report(rows.taken))));
      });
    },
    async doExchange({ descriptor, chunks, begin, send }) {
      const { purpose } = readDescriptor(descriptor, name);
      let gate: ReturnType<ServedColumns['gate']> | undefined;
      await whileInFlight(counters, async () => {
        for await (const { batch, appMetadata } of chunks) {
          if (batch && !gate) {
            requireSchema(batch.schema, table.schema);
            gate = columns.gate(batch.schema, purpose);
            await begin(gate.schema);
          }
          const memory = new BatchMemory();
          const passed = batch && gate?.pass(batch, memory);
          await send({
            ...(passed && { batch: passed, onWritten: memory.release }),
            ...(appMetadata && { appMetadata }),
          });
        }
      });
    },
  };
}

/** @throws FlightError `invalid-argument` */
function requireSchema(given: Schema, expected: Schema): void {
  const text = ({ fields }: Schema): string => fields.map(({ name, type }) => `${name}: ${type}`).join(', ');
  if (text(given) === text(expected)) return;
  throw new FlightError('invalid-argument', `unexpected columns: got ${text(given)}; expected ${text(expected)}`);
}

async function* counted<T>(
  batches: AsyncIterable<T> | Iterable<T>,
  counters: RoleCounters,
): AsyncGenerator<T, void, void> {
  counters.inFlight++;
  try {
    yield* batches;
    counters.served++;
  } finally {
    counters.inFlight--;
  }
}

async function whileInFlight(counters: RoleCounters, work: () => Promise<void>): Promise<void> {
  counters.inFlight++;
  try {
    await work();
    counters.served++;
  } finally {
    counters.inFlight--;
  }
}
