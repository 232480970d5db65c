/** COPY from a server that is not the real one, to see what a connection that loses data would do. */
import { EventEmitter } from 'node:events';
import { Field, Int32, type RecordBatch, Schema } from 'apache-arrow';
import type pg from 'pg';
import { expect, it } from 'vitest';
import type { CopyQuery } from '../../src/postgresql/columns/copy-query.ts';
import { readCopies } from '../../src/postgresql/columns/read-copies.ts';

const int4 = 23;
const relation = {
  select: 'SELECT id FROM sale',
  table: 'sale',
  name: 'table sale',
  columns: [{ name: 'id', typeId: int4, modifier: -1 }],
  schema: new Schema([new Field('id', new Int32(), true)]),
};

/** Answers each COPY with the given tuples, and with the count that the server claims. */
function clientOf(parts: readonly { ids: readonly number[]; counted: number }[]): pg.Client {
  const left = parts.values();
  const stream = Object.assign(new EventEmitter(), { pause: () => {}, resume: () => {} });
  return {
    query(copy: CopyQuery) {
      const { ids, counted } = left.next().value as (typeof parts)[number];
      copy.submit({ stream: stream as never, query: () => {} });
      queueMicrotask(() => {
        stream.emit('data', Buffer.concat([header, ...ids.map(tupleOf), trailer].map(copyData)));
        copy.handleCommandComplete({ text: `COPY ${counted}` });
        copy.handleReadyForQuery();
      });
    },
    end: async () => {},
  } as unknown as pg.Client;
}

const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const trailer = Buffer.from([0xff, 0xff]);

function tupleOf(id: number): Buffer {
  const tuple = Buffer.alloc(10);
  tuple.writeInt16BE(1, 0);
  tuple.writeInt32BE(4, 2);
  tuple.writeInt32BE(id, 6);
  return tuple;
}

function copyData(payload: Buffer): Buffer {
  const message = Buffer.alloc(5 + payload.length);
  message.write('d');
  message.writeUInt32BE(4 + payload.length, 1);
  payload.copy(message, 5);
  return message;
}

async function idsOf(...parts: { ids: number[]; counted: number }[]): Promise<unknown[]> {
  const batches: RecordBatch[] = [];
  const selects = parts.map(() => relation.select);
  const read = { relation, clients: [clientOf(parts)], selects, batchRows: 10, signal: undefined };
  for await (const batch of readCopies(read)) batches.push(batch);
  return batches.flatMap((batch) => [...(batch.getChildAt(0) ?? [])]);
}

it('the parts of a table are whole with as many tuples as the server counted', async () => {
  await expect(idsOf({ ids: [1, 2, 3], counted: 3 }, { ids: [4], counted: 1 })).resolves.toEqual([1, 2, 3, 4]);
});

it.each([
  ['lost', [1, 2], 3],
  ['too many', [1, 2, 3, 3], 3],
])('a part with a tuple %s is a damaged stream', async (_, ids, counted) => {
  await expect(idsOf({ ids: [9], counted: 1 }, { ids, counted })).rejects.toMatchObject({
    code: 'TB_SOURCE_DAMAGED',
    message: expect.stringContaining(`got ${ids.length} tuples, expected ${counted}`),
  });
});
