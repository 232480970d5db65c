/** The connector of PostgreSQL on a real server. */
import { openSource } from '@topo-bench/sources';
import { Ajv } from 'ajv';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase, sharedServers } from '../../../stores/test/fixtures/test-servers.ts';
import type { StreamState } from '../../src/protocol/messages.ts';
import { configured, discoverStream, ofType, recordsOf, runConnector } from '../fixtures/run-connector.ts';

let database: string;
let owner: pg.Client;
let config: { url: string };

beforeAll(async () => {
  database = await emptyDatabase(await sharedServers(['postgresql']));
  config = { url: database };
  owner = new pg.Client({ connectionString: database });
  await owner.connect();
  await owner.query(`
    CREATE SCHEMA shop;
    CREATE TABLE shop."odd ""name" (id int PRIMARY KEY);
    CREATE TABLE kinds (id int PRIMARY KEY, big bigint, price numeric(20, 5), small numeric(7, 2), rate float8, ok boolean,
      t text, d date, ts timestamp, tz timestamptz, bytes bytea, tags text[], doc jsonb);
    INSERT INTO kinds VALUES (1, 9007199254740993, 12345678901234.56789, -0.05, 0.1, true, E'\\u00fc"\\\\\\n\\u2028', '2024-02-29',
      '2024-02-29 12:34:56.123456', '2024-02-29 12:34:56.5+02', '\\x00ff', '{a,NULL,"b c"}', '{"x": 1.0}');
    INSERT INTO kinds VALUES (2);
    CREATE TABLE events (n int, day int, note text);
    INSERT INTO events SELECT n, n / 15000, 'event ' || n FROM generate_series(0, 39999) AS n;
    INSERT INTO events VALUES (-1, NULL, 'no day');
    CREATE TABLE odd (p point)`);
});

afterAll(async () => {
  await owner?.end();
});

describe('the connector of PostgreSQL', () => {
  it('has a specification that accepts its own configuration, and marks the address as secret', async () => {
    const [{ spec } = { spec: undefined }] = ofType(await runConnector('postgresql', 'spec'), 'SPEC');
    const schema = spec?.connectionSpecification as { properties: { url: object } };
    expect(schema.properties.url).toMatchObject({ airbyte_secret: true });
    const validate = new Ajv({ strict: false }).compile(schema);
    expect([validate(config), validate({}), validate({ ...config, tabels: [] })]).toEqual([true, false, false]);
  });

  it('checks the connection, and shows no password when it is refused', async () => {
    const [good] = ofType(await runConnector('postgresql', 'check', { config }), 'CONNECTION_STATUS');
    expect(good?.connectionStatus).toEqual({ status: 'SUCCEEDED' });
    const url = new URL(database);
    url.password = 'fal%20sch-geheim';
    for (const wrong of [{ url: url.href }, { url: 'postgresql://u:geheim@127.0.0.1:1/db' }]) {
      const messages = await runConnector('postgresql', 'check', { config: wrong });
      const [status] = ofType(messages, 'CONNECTION_STATUS');
      expect(status?.connectionStatus).toMatchObject({
        status: 'FAILED',
        message: expect.stringContaining('127.0.0.1'),
      });
      expect(JSON.stringify(messages)).not.toContain('geheim');
    }
    const table = { ...config, tables: ['missing'] };
    const [missing] = ofType(await runConnector('postgresql', 'check', { config: table }), 'CONNECTION_STATUS');
    expect(missing?.connectionStatus).toMatchObject({ status: 'FAILED', message: expect.stringContaining('missing') });
  });

  it('offers every table with its key, and leaves out one with a type that it cannot read', async () => {
    const messages = await runConnector('postgresql', 'discover', { config });
    const [catalog] = ofType(messages, 'CATALOG');
    const names = catalog?.catalog.streams.map(({ namespace, name }) => `${namespace}.${name}`);
    expect(names).toEqual(['public.events', 'public.kinds', 'shop.odd "name']);
    expect(catalog?.catalog.streams[1]).toMatchObject({
      source_defined_primary_key: [['id']],
      default_cursor_field: ['id'],
    });
    expect(ofType(messages, 'LOG')).toEqual([
      { type: 'LOG', log: { level: 'WARN', message: expect.stringMatching(/^table odd .*point/) } },
    ]);
  });

  it.each(['shop.odd "name', 'shop."odd ""name"', '"shop"."odd ""name"', 'KINDS', 'public.kinds', '"public".KINDS'])(
    'finds the table %s',
    async (table) => {
      const messages = await runConnector('postgresql', 'discover', { config: { ...config, tables: [table] } });
      const names = ofType(messages, 'CATALOG')[0]?.catalog.streams.map(({ name }) => name);
      expect(names).toEqual([/odd/.test(table) ? 'odd "name' : 'kinds']);
    },
  );

  it.each([
    ['date', "'infinity'", "'2024-02-29'"],
    ['timestamptz', "'infinity'", "'2024-02-29'"],
    ['numeric(7, 2)', "'NaN'", '1'],
    ['float8', "'Infinity'", '1'],
    ['float8', "'NaN'", '1'],
  ])('names a cursor of the type %s that is %s, as value and as state', async (type, last, finite) => {
    await owner.query(`DROP TABLE IF EXISTS endless; CREATE TABLE endless (at ${type});
      INSERT INTO endless VALUES (${finite}), (${last})`);
    const stream = await discoverStream('postgresql', config, 'endless');
    const catalog = configured(stream, 'incremental', 'at');
    const cursor = last.slice(1, -1);
    const saved: StreamState = {
      type: 'STREAM',
      stream: {
        stream_descriptor: { name: 'endless', namespace: 'public' },
        stream_state: { cursor_field: ['at'], cursor },
      },
    } as StreamState;
    for (const state of [[], [saved]]) {
      const messages = await runConnector('postgresql', 'read', { config, catalog, state });
      const error = ofType(messages, 'TRACE').find(({ trace }) => trace.error)?.trace.error;
      expect(error?.message).toMatch(
        new RegExp(`${state.length > 0 ? 'state of cursor field at' : 'column at'}: got "?${cursor}`),
      );
      expect(error?.failure_type).toBe('config_error');
    }
  });

  it('reads no array of two dimensions as one of one, and no end of a day as a time', async () => {
    for (const [type, value] of [
      ['int[]', "'{{1,2},{3,4}}'"],
      ['bigint[]', "'{{1,2},{3,4}}'"],
      ['bool[]', "'{{t,f}}'"],
      ['text[]', "'{{a}}'"],
      ['float8[]', "'{{1}}'"],
      ['date[]', "'{{2024-02-29}}'"],
      ['numeric(7, 2)[]', "'{{1}}'"],
      ['time', "'24:00:00'"],
    ]) {
      await owner.query(`DROP TABLE IF EXISTS unfit; CREATE TABLE unfit AS SELECT ${value}::${type} AS v`);
      const stream = await discoverStream('postgresql', config, 'unfit');
      const messages = await runConnector('postgresql', 'read', { config, catalog: configured(stream) });
      const error = ofType(messages, 'TRACE').find(({ trace }) => trace.error)?.trace.error;
      expect(error, type).toMatchObject({
        internal_message: 'TB_SOURCE_VALUE',
        message: expect.stringContaining('column v'),
      });
      expect(recordsOf(messages), type).toEqual([]);
      const source = await openSource({ kind: 'postgresql', url: database, table: 'unfit' });
      const reading = source.columns({ batchRows: 10, connections: 1 })[Symbol.asyncIterator]().next();
      await expect(reading, type).rejects.toMatchObject({ code: 'TB_SOURCE_VALUE' });
      await source.close();
    }
  });

  it('reads every value without loss, valid for the schema of the catalog', async () => {
    const stream = await discoverStream('postgresql', config, 'kinds');
    const messages = await runConnector('postgresql', 'read', { config, catalog: configured(stream) });
    const [first, second] = recordsOf(messages);
    expect(first).toEqual({
      id: 1,
      // JSON.parse rounds it; the text is checked below.
      big: 9007199254740992,
      price: '12345678901234.56789',
      small: -0.05,
      rate: 0.1,
      ok: true,
      t: 'ü"\\\n\u2028',
      d: '2024-02-29',
      ts: '2024-02-29T12:34:56.123456',
      tz: '2024-02-29T10:34:56.5Z',
      bytes: 'AP8=',
      tags: ['a', null, 'b c'],
      doc: '{"x": 1.0}',
    });
    expect(Object.values(second ?? {})).toEqual([2, ...Array(12).fill(null)]);
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(stream.json_schema);
    expect([validate(first), validate(second), validate({ id: 'x' })]).toEqual([true, true, false]);
    expect(ofType(messages, 'STATE')[0]?.state.sourceStats).toEqual({ recordCount: 2 });
    const traces = ofType(messages, 'TRACE').map(({ trace }) => trace.stream_status?.status ?? trace.type);
    expect(traces).toEqual(['STARTED', 'RUNNING', 'COMPLETE', 'ANALYTICS']);
  });

  it('continues from any of its states without a gap or a repetition', async () => {
    const stream = await discoverStream('postgresql', config, 'events');
    const catalog = configured(stream, 'incremental', 'day');
    const messages = await runConnector('postgresql', 'read', { config, catalog });
    const all = recordsOf(messages).map(({ n }) => n);
    expect(all).toHaveLength(40_000);
    const states = ofType(messages, 'STATE').map(({ state }) => state);
    // A state only between two days: the third day ends the read.
    expect(states.map(({ stream }) => stream.stream_state)).toEqual(
      ['0', '1', '2'].map((cursor) => ({ cursor_field: ['day'], cursor })),
    );
    expect(states.map(({ sourceStats }) => sourceStats?.recordCount)).toEqual([15_000, 15_000, 10_000]);
    let before = 0;
    for (const state of states) {
      before += state.sourceStats?.recordCount ?? 0;
      const rest = await runConnector('postgresql', 'read', { config, catalog, state: [state] });
      const seen = recordsOf(rest).map(({ n }) => n as number);
      expect([...(all.slice(0, before) as number[]), ...seen].sort((a, b) => a - b)).toEqual(
        Array.from({ length: 40_000 }, (_, n) => n),
      );
    }
    await owner.query(`INSERT INTO events VALUES (40000, 3, 'new')`);
    const last = states.at(-1) as StreamState;
    const fresh = await runConnector('postgresql', 'read', { config, catalog, state: [last] });
    expect(recordsOf(fresh)).toEqual([{ n: 40_000, day: 3, note: 'new' }]);
  });

  it('reads a query as a stream, and takes a cursor value as text only', async () => {
    const query = { ...config, query: "SELECT id, t || '''; DROP TABLE kinds; --' AS t FROM kinds" };
    const stream = await discoverStream('postgresql', query, 'query');
    const catalog = configured(stream, 'incremental', 't');
    const first = await runConnector('postgresql', 'read', { config: query, catalog });
    expect(recordsOf(first)).toHaveLength(1);
    const [state] = ofType(first, 'STATE').map((message) => message.state);
    const second = await runConnector('postgresql', 'read', { config: query, catalog, state: [state as StreamState] });
    expect(recordsOf(second)).toEqual([]);
    expect(ofType(second, 'TRACE').at(-2)?.trace.stream_status?.status).toBe('COMPLETE');
  });

  it('fails with the stream and the reason for a table that is gone', async () => {
    const stream = await discoverStream('postgresql', config, 'kinds');
    const catalog = configured({ ...stream, name: 'gone' });
    const traces = ofType(await runConnector('postgresql', 'read', { config, catalog }), 'TRACE').map(
      ({ trace }) => trace,
    );
    expect(traces[1]?.error).toMatchObject({
      message: expect.stringContaining('gone'),
      internal_message: 'TB_SOURCE_NOT_FOUND',
      failure_type: 'config_error',
      stream_descriptor: { name: 'gone', namespace: 'public' },
    });
    expect(traces[2]?.stream_status?.status).toBe('INCOMPLETE');
  });

  it('ends with an error when the server goes away in the middle', async () => {
    await owner.query(
      'CREATE TABLE long AS SELECT n, repeat(md5(n::text), 20) AS t FROM generate_series(1, 300000) AS n',
    );
    const stream = await discoverStream('postgresql', config, 'long');
    const read = runConnector('postgresql', 'read', { config, catalog: configured(stream) });
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'topo-bench sources' AND query LIKE '%long%' AND query NOT LIKE '%LIMIT 0' AND state = 'active'`;
    while ((await owner.query(end)).rowCount === 0);
    const messages = await read;
    expect(recordsOf(messages).length).toBeLessThan(300_000);
    const error = ofType(messages, 'TRACE').find(({ trace }) => trace.error)?.trace.error;
    expect(error).toMatchObject({ internal_message: 'TB_SOURCE_LOST', failure_type: 'transient_error' });
    expect(ofType(messages, 'STATE')).toEqual([]);
  });
});
