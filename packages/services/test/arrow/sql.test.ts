/** Flight SQL of a service as its callers meet it: queries, prepared or not, under the rules of the service. */
import { FlightClient, readFlight } from '@topo-bench/arrow-flight';
import {
  decodePreparedStatement,
  decodeSchemaMessage,
  decodeSingleBytes,
  decodeSqlMessage,
  encodeQueryText,
  encodeSingleBytes,
  encodeSqlMessage,
} from '@topo-bench/arrow-flight/sql';
import { type RecordBatch, Table, tableFromArrays } from 'apache-arrow';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type RuleParts, testGraph } from '../fixtures/deployment.ts';
import { dataset, type SqlService, type SqlServiceOptions, type SqlServices, sqlServices } from './sql-service.ts';

let services: SqlServices;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  services = await sqlServices();
});
beforeEach(({ skip }) => {
  skip(services.missing !== undefined, services.missing);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options?: SqlServiceOptions): Promise<SqlService & { client: FlightClient }> {
  const service = await services.start(options);
  const client = new FlightClient(service.flightUrl);
  closing.push(service.close, () => client.close(0));
  return { ...service, client };
}

const command = (type: string, value: Uint8Array): { command: Uint8Array } => ({
  command: encodeSqlMessage({ type, value }),
});
const query = (text: string): { command: Uint8Array } => command('CommandStatementQuery', encodeQueryText(text));

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

async function ask(client: FlightClient, descriptor: { command: Uint8Array }): Promise<unknown[]> {
  const batches = (await all(readFlight(client, await client.getFlightInfo(descriptor)))) as RecordBatch[];
  return new Table(batches).toArray().map((row) => row.toJSON());
}

async function prepare(client: FlightClient, text: string) {
  const body = encodeSqlMessage({ type: 'ActionCreatePreparedStatementRequest', value: encodeQueryText(text) });
  const [result] = await all(client.doAction({ type: 'CreatePreparedStatement', body }));
  return decodePreparedStatement(decodeSqlMessage(result as Uint8Array)?.value as Uint8Array);
}

test('a service answers queries next to the flight of its columns', async () => {
  const { client, stats } = await start();
  expect(await ask(client, query("SELECT count(*) AS items, 'ü' AS u FROM items"))).toEqual([
    { items: BigInt(dataset.rows), u: 'ü' },
  ]);
  const info = await client.getFlightInfo({ path: ['orders'] });
  expect(info.totalRecords).toBe(100);
  expect(String((await client.getSchema(query('SELECT id, total_cents FROM items'))).fields)).toBe(
    'id: Utf8,total_cents: Int32',
  );
  expect((await all(client.listActions())).map(({ type }) => type)).toEqual([
    'CreatePreparedStatement',
    'ClosePreparedStatement',
  ]);
  expect(await stats()).toMatchObject({ served: 1, decisions: { allow: 0 } });
});

test('a prepared query runs with the parameters that were bound last', async () => {
  const { client } = await start();
  const { handle, datasetSchema, parameterSchema } = await prepare(client, 'SELECT $1::int + 1 AS more, $2 AS word');
  expect(String(decodeSchemaMessage(datasetSchema)?.fields)).toBe('more: Int32,word: Utf8');
  expect(String(decodeSchemaMessage(parameterSchema)?.fields)).toBe('1: Int32,2: Utf8');
  const run = (bound: Uint8Array) => ask(client, command('CommandPreparedStatementQuery', encodeSingleBytes(bound)));
  await expect(run(handle)).rejects.toMatchObject({ status: 'invalid-argument' });
  for (const [more, word] of [
    [41, 'ä'],
    [-1, ''],
  ] as const) {
    const batch = tableFromArrays({ a: Int32Array.of(more), b: [word] }).batches[0] as RecordBatch;
    const descriptor = command('CommandPreparedStatementQuery', encodeSingleBytes(handle));
    const writer = await client.doPut(descriptor, batch.schema);
    await writer.write(batch);
    const [answer] = await writer.finish();
    expect(await run(decodeSingleBytes(answer as Uint8Array))).toEqual([{ more: more + 1, word }]);
  }
});

test('altered, foreign and invented handles and tickets are refused', async () => {
  const [here, there] = [await start(), await start()];
  const { handle } = await prepare(here.client, 'SELECT 1 AS one');
  const ticket = (bytes: Uint8Array): Uint8Array =>
    encodeSqlMessage({ type: 'TicketStatementQuery', value: encodeSingleBytes(bytes) });
  const unknown = { status: 'not-found' };
  const read = async (client: FlightClient, bytes: Uint8Array) => all(await client.doGet(ticket(bytes)));
  expect(await read(here.client, handle)).toHaveLength(1);
  await expect(read(there.client, handle)).rejects.toMatchObject(unknown);
  for (const [at, length] of [
    [0, handle.length],
    [20, handle.length],
    [handle.length - 1, handle.length],
    [0, handle.length - 1],
    [0, 5],
    [0, 0],
  ] as const) {
    const changed = handle.slice(0, length);
    if (length > at) changed[at] = (changed[at] as number) ^ 1;
    await expect(read(here.client, changed)).rejects.toMatchObject(unknown);
  }
  await expect(read(here.client, Buffer.from('{"text":"SELECT 1"}'))).rejects.toMatchObject(unknown);
});

test('forbidden and invalid queries are refused with the reason', async () => {
  const { client } = await start();
  const refused = async (descriptor: { command: Uint8Array }, status: string, message: string) =>
    expect(client.getFlightInfo(descriptor)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    });
  await refused(query('SELEC 1'), 'invalid-argument', 'syntax error at or near "SELEC", at line 1, column 1');
  await refused(query('DELETE FROM items'), 'permission-denied', 'only queries are answered');
  await expect(ask(client, query('DELETE FROM items RETURNING id'))).rejects.toMatchObject({
    status: 'permission-denied',
  });
  await expect(ask(client, query("SELECT pg_read_file('/etc/passwd')"))).rejects.toMatchObject({
    status: 'permission-denied',
    message: expect.stringContaining('permission denied for function pg_read_file'),
  });
  await refused(query(`SELECT '${'x'.repeat(1024 ** 2)}'`), 'invalid-argument', 'characters');
  await refused(command('CommandGetPrimaryKeys', new Uint8Array(0)), 'unimplemented', 'CommandGetPrimaryKeys');
  await expect(ask(client, query("SELECT 'infinity'::date"))).rejects.toMatchObject({ status: 'out-of-range' });
  const transaction = Buffer.concat([encodeQueryText('SELECT 1'), Uint8Array.of(0x12, 1, 65)]);
  await refused(command('CommandStatementQuery', transaction), 'unimplemented', 'transactions');
  const update = command('CommandStatementUpdate', encodeQueryText('DELETE FROM items'));
  const writer = await client.doPut(update, tableFromArrays({ a: [1] }).schema);
  await expect(writer.finish()).rejects.toMatchObject({ status: 'permission-denied' });
});

test('a topology with queries on a store other than PostgreSQL is refused', () => {
  const arrow = { flight: { sql: {} } };
  const refusal = /expected `persistence` on postgresql with `sql`, got/;
  expect(() => testGraph({ services: [{ name: 'orders', arrow }] })).toThrow(refusal);
  const persistence = { store: 'document' as const };
  expect(() => testGraph({ services: [{ name: 'orders', arrow, persistence }] })).toThrow(refusal);
});

test('queries require a login like the other verbs', async () => {
  vi.stubEnv('TEST_FLIGHT_PASSWORD', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const flight = { sql: {}, login: { user: 'ada', password: 'env TEST_FLIGHT_PASSWORD' } };
  const { client } = await start({ flight });
  await expect(client.getFlightInfo(query('SELECT 1'))).rejects.toMatchObject({ status: 'unauthenticated' });
  await expect(prepare(client, 'SELECT 1')).rejects.toMatchObject({ status: 'unauthenticated' });
});

test('a disconnected caller, or an unsupported value, ends the query in the database', async () => {
  const { client, storeUrl } = await start();
  const owner = new pg.Client({ connectionString: storeUrl });
  await owner.connect();
  closing.push(() => owner.end());
  const active = "SELECT FROM pg_stat_activity WHERE usename LIKE '%_reader' AND state = 'active'";
  const until = async (count: number): Promise<void> => {
    while ((await owner.query(active)).rowCount !== count);
  };
  const info = await client.getFlightInfo(query("SELECT generate_series(1, 100000000) AS n, repeat('x', 1000) AS x"));
  for await (const _ of readFlight(client, info)) {
    await until(1);
    break;
  }
  await until(0);
  const failing = query("SELECT generate_series(1, 100000000) AS n, 'infinity'::date AS d");
  await expect(ask(client, failing)).rejects.toMatchObject({ status: 'out-of-range' });
  await until(0);
});

const rules = (...list: RuleParts['rules']): RuleParts => ({ default: 'allow', rules: list });
const ofPersonalData = { fact: 'request', path: '$.categories', operator: 'contains', value: 'personal' };

test('redacted columns cannot be queried in any form, and each row counts as redacted', async () => {
  const redact = { remove: ['/address'], pseudonymise: ['/customer'] };
  const redacting = rules({ id: 'no-people', when: ofPersonalData, effect: 'redact', redact });
  const { client, stats } = await start({ rules: redacting });
  expect(await ask(client, query('SELECT id, total_cents, note FROM items'))).toHaveLength(dataset.rows);
  expect(await stats()).toMatchObject({
    decisions: { redact: dataset.rows, allow: 0 },
    columns: { rows: dataset.rows },
  });
  for (const text of [
    'SELECT * FROM items',
    'SELECT md5(customer) FROM items',
    "SELECT 1 FROM items WHERE city = 'a'",
  ]) {
    await expect(ask(client, query(text))).rejects.toMatchObject({
      status: 'permission-denied',
      message: expect.stringContaining('customer, address_name, street, city, postcode, country'),
    });
  }
  // Clients that list tables only find the items, whatever stands for them.
  const listed = await ask(client, command('CommandGetTables', new Uint8Array(0)));
  expect((listed as { table_name: string }[]).find((row) => row.table_name === 'items')).toMatchObject({
    table_type: 'TABLE',
  });
  const hybrid = await start({ rules: redacting, store: 'hybrid-indexed' });
  expect(await ask(hybrid.client, query('SELECT id, status FROM items'))).toHaveLength(dataset.rows);
  await expect(ask(hybrid.client, query('SELECT document FROM items'))).rejects.toMatchObject({
    status: 'permission-denied',
  });
});

test('rules that refuse the data or depend on rows refuse every query', async () => {
  const denied = async (list: RuleParts['rules'], message: string): Promise<void> => {
    const { client } = await start({ rules: rules(...list) });
    const refusal = { status: 'permission-denied', message: expect.stringContaining(message) };
    await expect(client.getFlightInfo(query('SELECT 1'))).rejects.toMatchObject(refusal);
    await expect(prepare(client, 'SELECT 1')).rejects.toMatchObject(refusal);
    await expect(ask(client, command('CommandGetTables', new Uint8Array(0)))).rejects.toMatchObject(refusal);
  };
  await denied([{ id: 'no-people', when: ofPersonalData, effect: 'deny' }], 'the rule "no-people" refuses queries');
  const small = { fact: 'request', path: '$.payload.totalCents', operator: 'lessThan', value: 10 };
  await denied([{ id: 'small', when: small, effect: 'deny' }], 'row by row, by totalCents');
  const elsewhere = { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' };
  await denied([{ id: 'eu-stays', when: elsewhere, effect: 'deny' }], 'row by row, by their origin');
});

test('rules apply to the region of the store, not of the service', async () => {
  const abroad = { fact: 'target', path: '$.region', operator: 'notEqual', value: 'eu' };
  const small = { fact: 'request', path: '$.payload.totalCents', operator: 'lessThan', value: 10 };
  const queried = async (rule: RuleParts['rules'][number], region: string) => {
    const { client } = await start({ rules: rules(rule), region });
    return ask(client, query('SELECT customer FROM items'));
  };
  const refused = { status: 'permission-denied' };
  const home: RuleParts['rules'][number] = { id: 'home', when: abroad, effect: 'deny' };
  expect(await queried(home, 'eu')).toHaveLength(dataset.rows);
  await expect(queried(home, 'us')).rejects.toMatchObject(refused);
  await expect(queried({ ...home, when: { all: [abroad, small] } }, 'us')).rejects.toMatchObject(refused);
  const redact = { pseudonymise: ['/customer'] };
  await expect(queried({ ...home, effect: 'redact', redact }, 'us')).rejects.toMatchObject(refused);
});

test('permissive rules allow queries, and each row counts', async () => {
  const advertising = { fact: 'request', path: '$.purpose', operator: 'equal', value: 'advertising' };
  const { client, stats } = await start({ rules: rules({ id: 'no-ads', when: advertising, effect: 'deny' }) });
  expect(await ask(client, query('SELECT * FROM items'))).toHaveLength(dataset.rows);
  expect(await stats()).toMatchObject({
    decisions: { allow: dataset.rows },
    columns: { rows: dataset.rows, exposureBytes: {} },
  });
});
