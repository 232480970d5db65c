/** The ADBC driver for Flight SQL, as Python programs use it, on one of our services with items in PostgreSQL. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { missingModule, runPython } from '../../../libraries/arrow-flight/test/fixtures/python.ts';
import { makeCertificates } from '../../../libraries/http2/test/fixtures/certificates.ts';
import { dataset, type SqlService, type SqlServiceOptions, type SqlServices, sqlServices } from './sql-service.ts';

type Failure = [kind: string, message: string];
const missing = missingModule('adbc_driver_flightsql');
const ofItems = { sql: { connections: 3 } };

let services: SqlServices;
/** For the tests that ask for nothing else. */
let plain: SqlService;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (missing) return;
  services = await sqlServices();
  if (services.missing === undefined) plain = await services.start({ flight: ofItems });
});
beforeEach(({ skip }) => {
  if (missing === undefined) skip(services.missing !== undefined, services.missing);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => plain?.close());

async function start(options: SqlServiceOptions): Promise<SqlService> {
  const service = await services.start(options);
  closing.push(service.close);
  return service;
}

function ask<T>(location: string, task: string, ...args: string[]): Promise<T> {
  return runPython<T>('../../../../services/test/arrow/adbc_client.py', location, task, ...args);
}

describe.skipIf(missing)(`the ADBC driver ${missing ?? ''}`, () => {
  it('gets the items as a table, whole, empty and by row', async () => {
    expect(await ask(plain.flightUrl, 'items')).toEqual({
      schema: [
        ['id', 'string'],
        ['customer', 'string'],
        ['status', 'string'],
        ['created_at', 'timestamp[us, tz=UTC]'],
        ['total_cents', 'int32'],
        ['currency', 'string'],
        ['lines', 'string'],
        ...['address_name', 'street', 'city', 'postcode', 'country', 'note'].map((name) => [name, 'string']),
      ],
      rows: dataset.rows,
      first: expect.objectContaining({
        id: expect.stringMatching(/\w/),
        created_at: expect.stringMatching(/\+00:00$/),
      }),
      empty: [0, ['string', 'int32']],
      doubled: [[1], [2]],
      fetchone: [7],
    });
  });

  it('gets every type with its extreme values, between nulls', async () => {
    const { wrong, checked } = await ask<{ wrong: unknown[]; checked: number }>(plain.flightUrl, 'types');
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(25);
    expect(await ask(plain.flightUrl, 'decimals')).toEqual({
      types: ['decimal128(10, 2)', 'decimal128(38, 38)', 'decimal128(38, 0)'],
      values: ['-123.45', `0.05${'0'.repeat(36)}`, `-${'9'.repeat(38)}`],
    });
  });

  it('gets a large result in batches', async () => {
    const rows = 300_000;
    expect(await ask(plain.flightUrl, 'large')).toEqual({ rows, sum: (rows * (rows + 1)) / 2, isStreamed: true });
  });

  it('binds parameters of every kind', async () => {
    expect(await ask(plain.flightUrl, 'parameters')).toEqual({
      same: Array(11).fill(true),
      again: [dataset.rows, 0],
      none: ['ProgrammingError', expect.stringContaining('wrong number of parameters: got 0, expected 1')],
    });
  });

  it('lists catalogues, schemas and tables', async () => {
    const columns =
      'id customer status created_at total_cents currency lines address_name street city postcode country note';
    const found = await ask<Record<string, unknown>>(plain.flightUrl, 'catalogue');
    expect(found).toMatchObject({
      objects: [[expect.stringMatching(/^topo_bench_/), 'public', 'items', 'TABLE', columns.split(' ')]],
      types: ['SYSTEM TABLE', 'TABLE', 'VIEW'],
      info: ['topo-bench', true],
    });
    expect(found.schemas).toEqual(['information_schema', 'pg_catalog', 'public']);
    expect(found.schema).toContainEqual(['created_at', 'timestamp[us, tz=UTC]']);
  });

  it('gets an error for a wrong query, and continues', async () => {
    const { flightUrl } = await start({ flight: { sql: { timeout: '1s' } } });
    const errors = await ask<Record<string, Failure | null>>(flightUrl, 'errors');
    const expected: Record<string, Failure> = {
      wrong: ['ProgrammingError', 'syntax error at or near "items", at line 2, column 6'],
      missing: ['ProgrammingError', 'column "nothing" does not exist, at line 1, column 8'],
      later: ['ProgrammingError', 'division by zero'],
      write: ['ProgrammingError', 'only queries are answered here'],
      returning: ['ProgrammingError', 'cannot execute DELETE in a read-only transaction'],
      file: ['ProgrammingError', 'permission denied for function pg_read_file'],
      program: ['ProgrammingError', 'only queries are answered here'],
      slow: ['OperationalError', 'canceling statement due to statement timeout'],
    };
    for (const [name, [kind, message]] of Object.entries(expected)) {
      expect([name, errors[name]?.[0]]).toEqual([name, kind]);
      expect(errors[name]?.[1]).toContain(message);
    }
    expect(errors.after).toBeNull();
  });

  it.each(['cancel', 'vanish'])('ends its query in the database by going (%s)', async (way) => {
    const { flightUrl, storeUrl } = await start({ flight: ofItems });
    const owner = new pg.Client({ connectionString: storeUrl });
    await owner.connect();
    closing.push(() => owner.end());
    const endless = "SELECT generate_series(1, 100000000) AS n, repeat('x', 1000) AS x";
    await ask(flightUrl, 'cancel', endless, way);
    const active = "SELECT FROM pg_stat_activity WHERE usename LIKE '%_reader' AND state = 'active'";
    await expect.poll(async () => (await owner.query(active)).rowCount, { timeout: 10_000 }).toBe(0);
  });

  it('queries over many connections at once', async () => {
    expect(await ask(plain.flightUrl, 'parallel')).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((number) => number * 50_005_000),
    );
  });

  it('logs in with user and password and is refused without', async () => {
    vi.stubEnv('TEST_FLIGHT_PASSWORD', 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const login = { user: 'ada', password: 'env TEST_FLIGHT_PASSWORD' };
    const { flightUrl } = await start({ flight: { ...ofItems, login } });
    const result = await ask<{ named: number; header: number } & Record<string, Failure>>(flightUrl, 'login');
    expect([result.named, result.header]).toEqual([dataset.rows, dataset.rows]);
    expect(result.without?.[1]).toContain('the call has no token');
    expect(result.wrong?.[1]).toContain('wrong user name or password');
  });

  it('is served over TLS', async () => {
    const { files, remove } = makeCertificates();
    try {
      const [ca, certificate] = files;
      const tls = { certificate, key: files[2] };
      const { flightUrl } = await start({ flight: { ...ofItems, tls } });
      const result = await ask<{ rows: number; without: Failure }>(flightUrl, 'tls', ca);
      expect(result.rows).toBe(dataset.rows);
      expect(result.without[1]).toContain('certificate');
    } finally {
      remove();
    }
  });
});
