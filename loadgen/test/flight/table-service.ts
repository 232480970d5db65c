/**
 * A service that serves a table as topo-bench's do, made up from the rule of its contents and not by their code; and
 * that misbehaves when told.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FlightError, type FlightInfo, FlightServer, type FlightService } from '@topo-bench/arrow-flight';
import { KeptColumns, reportedColumn } from '@topo-bench/columns';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import { Field, Int64, makeData, RecordBatch, Schema, Struct, Timestamp, TimeUnit } from 'apache-arrow';
import { onTestFinished } from 'vitest';

export const rows = 4000;
const batchRows = 100;
/** Bytes of a row: two numbers of 64 bits. */
export const rowBytes = 16;

const column = { category: 'none', nulls: 0, size: 16, values: undefined };
export const table: ArrowService = {
  rows,
  batchRows,
  columns: [
    { ...column, name: 'a', type: 'int64' },
    { ...column, name: 'b', type: 'timestamp' },
  ],
  facts: { class: 'row', purpose: 'contract', origin: undefined, consents: undefined },
};
const schema = new Schema([
  new Field('a', new Int64(), false),
  new Field('b', new Timestamp(TimeUnit.MILLISECOND, 'UTC'), false),
]);
const firstMs = Date.parse('2024-01-01T00:00:00Z');

/** Number of a row's contents: four batches repeat. */
const contentOf = (row: number): number => row % (4 * batchRows);

export interface Faults {
  /** What is added to every value of `a` in this batch. */
  wrongBatch?: number;
  /** Parts end this many batches early. */
  missingBatches?: number;
  /** Parts fail after as many batches. */
  failAfter?: number;
  /** Rows that acknowledgements do not count. */
  unacknowledged?: number;
  /** An upload loses the batch that ends with this row. */
  lostAt?: number;
  /** Before each batch, whichever way it goes. */
  pauseMs?: number;
  /** What callers must log in with. */
  password?: string;
}

function batchOf(number: number, isWrong: boolean): RecordBatch {
  const first = number * batchRows;
  const values = BigInt64Array.from({ length: batchRows }, (_, i) => BigInt(contentOf(first + i) + (isWrong ? 1 : 0)));
  const times = BigInt64Array.from({ length: batchRows }, (_, i) => BigInt(firstMs + contentOf(first + i) * 1000));
  const children = [
    makeData({ type: new Int64(), length: batchRows, nullCount: 0, data: values }),
    makeData({ type: new Timestamp(TimeUnit.MILLISECOND, 'UTC'), length: batchRows, nullCount: 0, data: times }),
  ];
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: batchRows, nullCount: 0, children }),
  );
}

/** Serves over Flight until the test ends. */
export async function serveFlight(faults: Faults = {}) {
  const seen = { gets: [] as string[], puts: 0, uploads: 0, uploadedRows: 0 };
  const infoOf = (descriptor: FlightInfo['descriptor'], parts: number): FlightInfo => ({
    schema,
    descriptor,
    endpoints: Array.from({ length: parts }, (_, part) => ({ ticket: Buffer.from(`${part}/${parts}`), locations: [] })),
    totalRecords: rows,
    totalBytes: -1,
  });
  const { password: expected } = faults;
  const login =
    expected === undefined ? {} : { authentication: { check: (_: string, password: string) => password === expected } };
  const service: FlightService = {
    getSchema: () => schema,
    getFlightInfo: (descriptor) =>
      infoOf(
        descriptor,
        (JSON.parse(Buffer.from(descriptor.command ?? []).toString()) as { endpoints: number }).endpoints,
      ),
    doGet(ticket) {
      const name = Buffer.from(ticket).toString();
      seen.gets.push(name);
      const [part = 0, parts = 1] = name.split('/').map(Number);
      const count = rows / batchRows;
      const [from, to] = [Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts)];
      return { schema, batches: partOf(from, to - (faults.missingBatches ?? 0)) };
    },
    async doPut({ chunks, acknowledge }) {
      seen.puts++;
      let taken = 0;
      const kept = new KeptColumns(['a', 'b'], 'key of digests');
      for await (const { batch, appMetadata } of chunks) {
        if (faults.pauseMs) await new Promise((resolve) => setTimeout(resolve, faults.pauseMs));
        taken += batch?.numRows ?? 0;
        if (batch && taken !== faults.lostAt) kept.add(batch.numRows, batch.data.children.map(reportedColumn));
        if (appMetadata) await acknowledge(Buffer.from(JSON.stringify({ taken, passed: taken })));
      }
      seen.uploadedRows += taken;
      seen.uploads++;
      taken -= faults.unacknowledged ?? 0;
      await acknowledge(Buffer.from(JSON.stringify(kept.report(taken))));
    },
  };
  const server = new FlightServer(service, login);
  async function* partOf(from: number, to: number): AsyncGenerator<RecordBatch> {
    for (let number = from; number < to; number++) {
      if (number - from === faults.failAfter) throw new FlightError('unavailable', 'the table has gone');
      if (faults.pauseMs) await new Promise((resolve) => setTimeout(resolve, faults.pauseMs));
      yield batchOf(number, number === faults.wrongBatch);
    }
  }
  const url = await server.listen();
  onTestFinished(() => server.close(0));
  return { url, seen };
}

/** Serves the table as JSON or NDJSON until the test ends. */
export async function serveJson(isWrong = false): Promise<string> {
  const server = createServer((request, response) => {
    const objects = Array.from({ length: rows }, (_, row) => ({
      a: contentOf(row) + (isWrong && row > 3000 ? 1 : 0),
      b: new Date(firstMs + contentOf(row) * 1000).toISOString(),
    }));
    const isLines = request.headers.accept === 'application/x-ndjson';
    response.end(isLines ? objects.map((object) => `${JSON.stringify(object)}\n`).join('') : JSON.stringify(objects));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/arrow`;
}
