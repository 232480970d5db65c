/**
 * A Flight service for tests: rows of four 64-bit numbers that add up, uploads that are counted, an echo, and sources
 * that misbehave.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Field, Int64, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import { FlightError } from '../src/errors.ts';
import type { FlightInfo } from '../src/protocol/flight-info.ts';
import type { FlightService } from '../src/server/flight-service.ts';

export const numbersSchema = new Schema(['a', 'b', 'c', 'd'].map((name) => new Field(name, new Int64(), false)));
export const rowBytes = 32;

/** Column c of row r holds `from` + r + c. */
export function numbersBatch(rows: number, from = 0): RecordBatch {
  const children = numbersSchema.fields.map((_, column) => {
    const data = BigInt64Array.from({ length: rows }, (_, row) => BigInt(from + row + column));
    return makeData({ type: new Int64(), length: rows, nullCount: 0, data });
  });
  return new RecordBatch(
    numbersSchema,
    makeData({ type: new Struct(numbersSchema.fields), length: rows, nullCount: 0, children }),
  );
}

/** What the sources of a NumbersService noticed. */
export interface Seen {
  /** Batches that sources gave. */
  given: number;
  /** Sources that began, and those that ended, for whatever reason. */
  begun: number;
  ended: number;
  uploadedRows: number;
  uploadEnded: string | undefined;
  users: (string | undefined)[];
}

const tickMs = 20;

export function numbersService(): { service: FlightService; seen: Seen } {
  const seen: Seen = { given: 0, begun: 0, ended: 0, uploadedRows: 0, uploadEnded: undefined, users: [] };
  const batch = numbersBatch(10_000);
  async function* source(
    count: number,
    pauseMs: number,
    failAt = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<RecordBatch> {
    seen.begun++;
    try {
      for (let i = 0; i < count; i++) {
        if (i === failAt) throw new FlightError('unavailable', 'the table is locked — try later');
        if (pauseMs > 0) await sleep(pauseMs);
        seen.given++;
        yield batch;
      }
    } finally {
      seen.ended++;
    }
  }
  const sources: Record<string, () => AsyncGenerator<RecordBatch>> = {
    part0: () => source(2, 0),
    part1: () => source(2, 0),
    endless: () => source(Number.POSITIVE_INFINITY, 0),
    ticks: () => source(Number.POSITIVE_INFINITY, tickMs),
    stalls: () => source(2, 60_000),
    fails: () => source(5, 0, 3),
  };
  const info = (descriptor: FlightInfo['descriptor'], tickets: string[]): FlightInfo => ({
    schema: numbersSchema,
    descriptor,
    endpoints: tickets.map((ticket) => ({ ticket: Buffer.from(ticket), locations: [] })),
    totalRecords: 40_000,
    totalBytes: -1,
  });
  const service: FlightService = {
    *listFlights(_criteria, { user }) {
      seen.users.push(user);
      yield info({ path: ['numbers', 'ü'] }, ['part0']);
    },
    getFlightInfo(descriptor) {
      if (!descriptor.command) return info(descriptor, ['part0', 'part1']);
      return info(descriptor, [`bytes ${Buffer.from(descriptor.command)}`]);
    },
    getSchema: () => numbersSchema,
    doGet(ticket) {
      const name = Buffer.from(ticket).toString();
      const big = /^bytes (\d+)$/.exec(name);
      const batches = big ? source(Math.ceil(Number(big[1]) / (10_000 * rowBytes)), 0) : sources[name]?.();
      if (!batches) throw new FlightError('not-found', `there is no flight for the ticket "${name}"`);
      return { schema: numbersSchema, batches };
    },
    async doPut({ schema, chunks, acknowledge }) {
      if (schema.fields.length !== 4) {
        throw new FlightError(
          'invalid-argument',
          `the upload has ${schema.fields.length} columns, expected a, b, c and d`,
        );
      }
      try {
        for await (const chunk of chunks) {
          seen.uploadedRows += chunk.batch?.numRows ?? 0;
          if (chunk.appMetadata) await acknowledge(Buffer.from(`${seen.uploadedRows} rows`));
        }
        seen.uploadEnded = 'whole';
      } catch (error) {
        seen.uploadEnded = error instanceof FlightError ? error.status : 'other';
        throw error;
      }
    },
    async doExchange(exchange) {
      let isOpen = false;
      for await (const chunk of exchange.chunks) {
        if (!isOpen && exchange.schema) await exchange.begin(exchange.schema);
        isOpen ||= exchange.schema !== undefined;
        await exchange.send(chunk);
      }
    },
    *doAction({ type, body }) {
      if (type === 'denied') throw new FlightError('permission-denied', 'not for you');
      yield body;
      yield body;
    },
    *listActions() {
      yield { type: 'repeat', description: 'Sends it twice.' };
    },
  };
  return { service, seen };
}
