/** Tables of a real PostgreSQL, read as columns by binary COPY. */
import { type RecordBatch, Table } from 'apache-arrow';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase, sharedServers } from '../../../stores/test/fixtures/test-servers.ts';
import { batchOfRows, openSource, type Row, type Source } from '../../src/index.ts';
import { CopyMessages } from '../../src/postgresql/columns/copy-messages.ts';
import { CopyQuery } from '../../src/postgresql/columns/copy-query.ts';
import { decoderOf } from '../../src/postgresql/columns/decoder-of-column.ts';
import { TupleDecoder, viewOf } from '../../src/postgresql/columns/tuple-decoder.ts';

let url: string;
let owner: pg.Client;

beforeAll(async () => {
  url = await emptyDatabase(await sharedServers(['postgresql']));
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`CREATE TABLE sale (id int PRIMARY KEY, price numeric(7, 2), note text, tags text[])`);
  await owner.query(
    `INSERT INTO sale SELECT n, CASE WHEN n % 7 > 0 THEN (n - 1250) / 100.0 END, repeat('é', n % 50),
       CASE WHEN n % 5 > 0 THEN array_fill('t' || n, ARRAY[n % 5 - 1]) || NULL::text END
     FROM generate_series(1, 2500) AS n`,
  );
});

afterAll(async () => {
  await owner?.end();
});

const open = (from: { table?: string; query?: string }, signal?: AbortSignal): Promise<Source> =>
  openSource({ kind: 'postgresql', url, ...from }, signal ? { signal } : {});

async function read(source: Source, batchRows = 1000, limitRows?: number): Promise<RecordBatch[]> {
  const limit = limitRows === undefined ? {} : { limitRows };
  const batches: RecordBatch[] = [];
  for await (const batch of source.columns({ batchRows, connections: 1, ...limit })) batches.push(batch);
  return batches;
}

async function columnsOf(query: string): Promise<Record<string, unknown[]>> {
  const source = await open({ query });
  const table = new Table(await read(source));
  await source.close();
  return Object.fromEntries(
    table.schema.fields.map(({ name }, i) => [name, [...(table.getChildAt(i) ?? [])].map(plain)]),
  );
}

/** Values without the classes of Arrow: lists as arrays, decimals as their unscaled integer. */
function plain(value: unknown): unknown {
  if (value instanceof Uint32Array) {
    return BigInt.asIntN(
      128,
      value.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
    );
  }
  const isList = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return isList && !(value instanceof Uint8Array) ? [...(value as Iterable<unknown>)].map(plain) : value;
}

describe('columns of a PostgreSQL table', () => {
  it.each([
    ['bool', `(true), (false), (NULL)`, [true, false, null]],
    ['int2', `(-32768), (NULL), (32767)`, [-32768, null, 32767]],
    ['int4', `(-2147483648), (2147483647)`, [-(2 ** 31), 2 ** 31 - 1]],
    ['int8', `(-9223372036854775808), (9223372036854775807)`, [-(2n ** 63n), 2n ** 63n - 1n]],
    ['oid', `(4294967295)`, [4294967295]],
    ['float4', `(1.5), ('-infinity'), ('nan')`, [1.5, -Infinity, Number.NaN]],
    ['float8', `(0.1::float8), (-1e308), (5e-324), ('-0')`, [0.1, -1e308, 5e-324, -0]],
    [
      'numeric(7, 2)',
      `(0), (-0.01), (99999.99), (-99999.99), (100), (NULL)`,
      [0n, -1n, 9999999n, -9999999n, 10000n, null],
    ],
    [
      'numeric(38, 3)',
      `(99999999999999999999999999999999999.999), (-1), (-0.001), (4294967296)`,
      [10n ** 38n - 1n, -1000n, -1n, 4294967296000n],
    ],
    ['numeric(5, -3)', `(12345678), (-1000)`, [12346n, -1n]],
    ['numeric(5, 5)', `(0.00001), (-0.99999), (0.1)`, [1n, -99999n, 10000n]],
    ['text', `(''), ('aé😀'), (NULL), (repeat('x', 5000))`, ['', 'aé😀', null, 'x'.repeat(5000)]],
    ['char(4)', `('ab')`, ['ab  ']],
    ['"char"', `('a'), ('')`, ['a', '']],
    ['bytea', String.raw`('\x00ff'), ('')`, [Uint8Array.of(0, 255), Uint8Array.of()]],
    ['uuid', `('00112233-4455-6677-8899-aabbccddeeff')`, ['00112233-4455-6677-8899-aabbccddeeff']],
    ['json', `('{"a": 1.0}')`, ['{"a": 1.0}']],
    ['jsonb', `('{"b":1.0,"a":[]}')`, ['{"a": [], "b": 1.0}']],
    ['date', `('1970-01-01'), ('1969-12-31'), ('4713-01-01 BC')`, [0, -86_400_000, Date.UTC(-4712, 0, 1)]],
    ['int4[]', `('{}'), ('{1,NULL,-3}'), (NULL), ('{4}')`, [[], [1, null, -3], null, [4]]],
    ['text[]', `('{a,"",NULL}'), ('{}')`, [['a', '', null], []]],
    ['numeric(4, 1)[]', `('{1.5,-2}')`, [[15n, -20n]]],
    ['bool[]', `('{t,f,t}'), ('{f}')`, [[true, false, true], [false]]],
  ])('have the values of type %s', async (type, values, expected) => {
    const columns = await columnsOf(`SELECT v::${type} FROM (VALUES ${values}) AS t (v)`);
    expect(columns.v).toEqual(expected);
  });

  it('have times with microseconds', async () => {
    const source = await open({
      query: `SELECT timestamp '1969-12-31 23:59:59.999999' AS a, timestamptz '2020-01-01 00:00:00.000001+02' AS b,
        time '23:59:59.000001' AS c`,
    });
    const [batch] = await read(source);
    const raw = batch?.data.children.map(({ values }) => values[0]);
    expect(raw).toEqual([-1n, BigInt(Date.UTC(2019, 11, 31, 22)) * 1000n + 1n, 86_399_000_001n]);
    await source.close();
  });

  it('are those of the rows, in batches of the given size', async () => {
    const source = await open({ table: 'sale' });
    const batches = await read(source, 1000);
    expect(batches.map(({ numRows }) => numRows)).toEqual([1000, 1000, 500]);
    const rows: Row[] = [];
    for await (const some of source.rows({ batchRows: 1000 })) rows.push(...some);
    const expected = new Table([batchOfRows(source.schema, rows)]);
    expect(JSON.stringify(new Table(batches).toArray())).toBe(JSON.stringify(expected.toArray()));
    expect((await read(source, 10, 25)).map(({ numRows }) => numRows)).toEqual([10, 10, 5]);
    expect(await read(source, 10, 0)).toEqual([]);
    await source.close();
  });

  it('over several connections are all rows of one snapshot, each once', async () => {
    await owner.query(`CREATE TABLE wide AS SELECT n, repeat('x', 200) AS pad FROM generate_series(1, 30000) AS n`);
    const source = await open({ table: 'wide' });
    const ids: number[] = [];
    const sizes: number[] = [];
    const pids = new Set<number>();
    for await (const batch of source.columns({ batchRows: 1000, connections: 3 })) {
      if (sizes.length === 0) {
        // Rows that move to other blocks while the table is read.
        await owner.query(`UPDATE wide SET n = -n WHERE n % 2 = 0; INSERT INTO wide VALUES (0, '')`);
        const running = `SELECT pid FROM pg_stat_activity WHERE application_name = 'topo-bench sources'`;
        for (const { pid } of (await owner.query(running)).rows) pids.add(pid);
      }
      sizes.push(batch.numRows);
      ids.push(...(batch.getChildAt(0)?.toArray() ?? []));
    }
    await source.close();
    expect(pids.size).toBe(3);
    expect(sizes.filter((size) => size < 1000).length).toBeLessThanOrEqual(3);
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 30_000 }, (_, i) => i + 1));
  });

  it.each([
    ['an empty table', 'CREATE TABLE empty (n int)', 'empty', 0],
    ['a view', 'CREATE VIEW seen AS SELECT id AS n FROM sale', 'seen', 2500],
    [
      'a partitioned table',
      `CREATE TABLE parts (n int) PARTITION BY RANGE (n);
       CREATE TABLE low PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (50);
       CREATE TABLE high PARTITION OF parts FOR VALUES FROM (50) TO (MAXVALUE);
       INSERT INTO parts SELECT n FROM generate_series(1, 100) AS n`,
      'parts',
      100,
    ],
    ['a query', 'SELECT 1', undefined, 2500],
  ])('over several connections are those of %s', async (_, create, table, expected) => {
    await owner.query(create);
    const source = await open(table ? { table } : { query: 'SELECT id FROM sale' });
    let count = 0;
    for await (const batch of source.columns({ batchRows: 1000, connections: 2 })) count += batch.numRows;
    expect(count).toBe(expected);
    await source.close();
  });

  it('have rows of many megabytes', async () => {
    const columns = await columnsOf(`SELECT repeat('ab', 4000000) AS v, n FROM generate_series(1, 3) AS n`);
    expect(columns.v).toEqual(Array(3).fill('ab'.repeat(4_000_000)));
  });

  it('leave no connection behind when the reader stops early, and stop the server meanwhile', async () => {
    const source = await open({ query: 'SELECT n FROM generate_series(1, 2000000) AS n' });
    const watch = (column: string): Promise<pg.QueryResult> =>
      owner.query(`SELECT ${column} AS v FROM pg_stat_activity WHERE application_name = 'topo-bench sources'`);
    let batches = 0;
    for await (const _ of source.columns({ batchRows: 1000, connections: 1 })) {
      batches++;
      // The server waits until the client reads on.
      await expect.poll(async () => (await watch('wait_event')).rows).toEqual([{ v: 'ClientWrite' }]);
      break;
    }
    expect(batches).toBe(1);
    await source.close();
    await expect.poll(async () => (await watch('pid')).rows).toEqual([]);
  });
});

describe('a read of columns that fails', () => {
  it.each([
    [`date 'infinity'`, 'TB_SOURCE_VALUE', 'column v: got "infinity", expected a date'],
    [`timestamp '-infinity'`, 'TB_SOURCE_VALUE', 'column v: got "-infinity", expected a timestamp'],
    [`timestamp '294276-12-31'`, 'TB_SOURCE_VALUE', 'column v: got "9223371'],
    [`'NaN'::numeric(5, 2)`, 'TB_SOURCE_VALUE', 'column v: got "NaN", expected a decimal'],
    [`'{{1},{2}}'::int[]`, 'TB_SOURCE_VALUE', 'column v: got "2 dimensions"'],
    [`'{2020-01-01,infinity}'::date[]`, 'TB_SOURCE_VALUE', 'column v[]: got "infinity"'],
    [`1 / (n - 2000)`, 'TB_SOURCE_QUERY', 'division by zero'],
  ])('names the offender: %s', async (value, code, message) => {
    const source = await open({ query: `SELECT n, ${value} AS v FROM generate_series(1, 3000) AS n` });
    await expect(read(source)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    await source.close();
  });

  it('is an error when the store ends its connection in the middle', async () => {
    const source = await open({ query: 'SELECT n FROM generate_series(1, 1000000) AS n' });
    const reading = (async () => {
      for await (const _ of source.columns({ batchRows: 1000, connections: 1 })) {
        await owner.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'topo-bench sources'`,
        );
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'TB_SOURCE_LOST' });
    await source.close();
  });

  it('is an error when one of its connections ends, and ends the others', async () => {
    await owner.query(`CREATE TABLE large AS SELECT n, repeat('x', 200) AS pad FROM generate_series(1, 200000) AS n`);
    const source = await open({ table: 'large' });
    const mine = `FROM pg_stat_activity WHERE application_name = 'topo-bench sources'`;
    const reading = (async () => {
      let isFirst = true;
      for await (const _ of source.columns({ batchRows: 1000, connections: 2 })) {
        if (isFirst) await owner.query(`SELECT pg_terminate_backend(pid) ${mine} ORDER BY pid LIMIT 1`);
        isFirst = false;
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'TB_SOURCE_LOST' });
    await source.close();
    await expect.poll(async () => (await owner.query(`SELECT pid ${mine}`)).rows).toEqual([]);
  });

  it('by its signal rejects with the reason', async () => {
    const stop = new AbortController();
    const source = await open({ query: 'SELECT n FROM generate_series(1, 1000000) AS n' }, stop.signal);
    const reading = (async () => {
      for await (const _ of source.columns({ batchRows: 1000, connections: 1 })) stop.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    await source.close();
  });

  it('by its signal while its connections start, rejects with the reason', async () => {
    const stop = new AbortController();
    const source = await open({ table: 'sale' }, stop.signal);
    const first = source.columns({ batchRows: 1000, connections: 3 })[Symbol.asyncIterator]().next();
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await source.close();
  });
});

describe('bytes of a COPY', () => {
  it('give the same batches in any pieces, and an error when they end early', async () => {
    const source = await open({ query: 'SELECT * FROM sale LIMIT 40' });
    const whole = new Table(await read(source, 15));
    const bytes = await bytesOf('SELECT * FROM sale LIMIT 40');
    await source.close();
    const decode = (cuts: number[], end: number): Table => {
      const batches: RecordBatch[] = [];
      const typeIds = [23, 1700, 25, 1009];
      const columns = source.schema.fields.map(({ type, name }, i) => decoderOf(typeIds[i] as number, type, name, 15));
      const decoder = new TupleDecoder(source.schema, columns, 15, (batch) => batches.push(batch));
      const edges = [...new Set([0, ...cuts.filter((cut) => cut < end), end])].sort((a, b) => a - b);
      for (let i = 1; i < edges.length; i++) {
        const piece = Buffer.from(bytes.subarray(edges[i - 1], edges[i]));
        decoder.push({ bytes: piece, view: viewOf(piece) }, 0, piece.length);
      }
      decoder.end();
      decoder.flush();
      return new Table(batches);
    };
    const expected = JSON.stringify(whole.toArray());
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 60 }), fc.nat(bytes.length - 1), (cuts, end) => {
        expect(JSON.stringify(decode(cuts, bytes.length).toArray())).toBe(expected);
        expect(() => decode(cuts, end)).toThrow('without a trailer');
      }),
    );
  });

  it('are found in messages that arrive in any pieces', () => {
    const message = (type: string, body: string): Buffer => {
      const head = Buffer.from(`${type}0000`);
      head.writeInt32BE(body.length + 4, 1);
      return Buffer.concat([head, Buffer.from(body)]);
    };
    const bytes = Buffer.concat([
      message('H', 'copy'),
      ...['one', '', 'three', 'x'.repeat(300)].map((body) => message('d', body)),
      message('N', 'notice'),
      message('d', 'last'),
      message('c', ''),
      message('C', 'COPY 5'),
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length - 1 })), (cuts) => {
        const [data, other]: [string[], string[]] = [[], []];
        let isOver = false;
        const messages = new CopyMessages({
          onData: (chunk, from, to) => data.push(chunk.bytes.toString('latin1', from, to)),
          onOther: (part, isEnd) => {
            other.push(part.toString('latin1'));
            isOver = isEnd;
          },
        });
        const edges = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
        for (let i = 1; i < edges.length && !isOver; i++) messages.push(bytes.subarray(edges[i - 1], edges[i]));
        expect(data).toEqual(['one', '', 'three', 'x'.repeat(300), 'last']);
        expect(other.slice(0, 2)).toEqual([message('H', 'copy'), message('N', 'notice')].map(String));
        expect(other[2]?.[0]).toBe('c');
      }),
    );
  });
});

/** The bytes of a COPY, without the messages around them. */
async function bytesOf(select: string): Promise<Buffer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const parts: Buffer[] = [];
  await new Promise<void>((resolve, reject) =>
    new CopyQuery(`COPY (${select}) TO STDOUT (FORMAT binary)`, {
      onData: ({ bytes }, from, to) => parts.push(Buffer.from(bytes.subarray(from, to))),
      onChunk() {},
      onDone: () => resolve(),
      onFailure: reject,
    }).start(client),
  );
  await client.end();
  return Buffer.concat(parts);
}
