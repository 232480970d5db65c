import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTable, storeSalesData } from '@topo-bench/sources';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { AnyEntry } from '@topo-bench/studies';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Two rows as dsdgen writes them; the second has nulls. */
const datLines = [
  '2451813|65495|3617|67006|591617|3428|24839|10|161|1|79|11.41|18.71|2.80|99.54|221.20|901.39|1478.09|6.08|99.54|121.66|127.74|-779.73|',
  '|65495|13283||591617|3428|24839|10|161|1|37|63.63|101.17|41.47|46.03|1534.39|2354.31|3743.29|59.53|46.03|1488.36|1547.89|-865.95|',
];
const sumOfNetProfit = '-1645.68';

const folder = temporaryFolder();
const read = (args: readonly string[], cwd = folder) => topoBench(['run', ...args], { cwd });
const small = ['data-access-small', '--only', 'variant=columnar', '--repetitions', '1', '--json'];

async function cellsOf(args: readonly string[]): Promise<AnyEntry[]> {
  const { code, stdout, stderr } = await read(args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).cells as AnyEntry[];
}

describe('run, over data named by a flag', () => {
  let server: StoreServer;
  let admin: pg.Client;
  let url: string;
  beforeAll(async () => {
    server = await startServer({ engine: 'postgresql' });
    url = server.url;
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query('CREATE SCHEMA shop');
    await admin.query("CREATE TABLE shop.sales AS SELECT n AS id, 'é' || n AS note FROM generate_series(1, 7) AS n");
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  it('reads a table, from its source alone, and resumes with it in another folder', async () => {
    const out = join(folder, 'table');
    const args = [...small, '--table', 'shop.sales', '--postgres-url', url, '--out', out];
    const cells = await cellsOf(args);
    expect(cells.map(({ factors }) => factors)).toEqual([{ source: 'postgresql', query: 'all', variant: 'columnar' }]);
    expect(cells[0]?.access).toMatchObject({ table: 'table shop.sales', rows: 7, wrong: 0 });
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    const refused = await read(['--resume', out, '--table', 'shop.other'], elsewhere);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--resume cannot change the run: got --table, expected none of them');
    const more = ['--resume', out, '--repetitions', '2', '--json'];
    const resumed = await read([...more, '--postgres-url', url], elsewhere);
    expect(resumed.code, resumed.stderr).toBe(0);
    const all = JSON.parse(resumed.stdout).cells as AnyEntry[];
    expect(all).toHaveLength(2);
    expect(all[1]?.access).toMatchObject({ table: 'table shop.sales', rows: 7, wrong: 0 });
  });

  it('reads the result of a query', async () => {
    const query = 'SELECT id, note FROM shop.sales WHERE id > 4';
    const cells = await cellsOf([...small, '--query', query, '--postgres-url', url, '--out', 'query']);
    expect(cells.map(({ access }) => access?.rows)).toEqual([3]);
  });

  it('loads a .dat file of dsdgen into each source', async () => {
    writeFileSync(join(folder, 'sales.DAT'), `${datLines.join('\n')}\n`);
    const cells = await cellsOf([...small, '--file', 'sales.DAT', '--postgres-url', url, '--out', 'dat']);
    expect(cells.map(({ access }) => [access?.source, access?.rows, access?.wrong]).sort()).toEqual([
      ['parquet', 2, 0],
      ['postgresql', 2, 0],
    ]);
    expect(new Set(cells.map(({ access }) => access?.checksum)).size).toBe(1);
    const { rows: tables } = await admin.query("SELECT tablename FROM pg_tables WHERE tablename LIKE '%_dat_%'");
    const { rows } = await admin.query(
      `SELECT count(*)::int AS rows, count(ss_sold_date_sk)::int AS dates, sum(ss_net_profit) AS profit FROM ${tables[0].tablename}`,
    );
    expect(rows).toEqual([{ rows: 2, dates: 1, profit: sumOfNetProfit }]);
  });

  it('reads a Parquet file, and resumes with it in another folder', async () => {
    const file = join(folder, 'sales.parquet');
    await loadTable({ kind: 'parquet', file }, storeSalesData({ rows: 3, seed: 1 }));
    const out = join(folder, 'parquet');
    const cells = await cellsOf([...small, '--file', 'sales.parquet', '--out', out]);
    expect(cells.map(({ factors, access }) => [factors.source, access?.rows])).toEqual([['parquet', 3]]);
    const resumed = await read(['--resume', out, '--repetitions', '2'], join(folder, 'table'));
    expect(resumed.code, resumed.stderr).toBe(0);
  });

  it('has no volume in a study of volumes', async () => {
    const only = ['--only', 'variant=native,columnar'];
    const { code, stdout, stderr } = await read(['data-access-study', '--file', 'sales.parquet', ...only, '--dry-run']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('2 cells × 10 repetitions');
    expect(stdout).not.toContain(' rows');
  });
});

describe('run --dry-run, over data named by a flag', () => {
  const head =
    'apiVersion: topo-bench/v1\nkind: Experiment\nname: large\naccess: { rows: 100000000 }\nrepetitions: 1\n';
  const estimateOf = async (...args: string[]) => {
    writeFileSync(join(folder, 'large.yaml'), head);
    const { code, stdout, stderr } = await read(['large.yaml', '--dry-run', '--json', ...args]);
    expect(code, stderr).toBe(0);
    return { seconds: JSON.parse(stdout).estimatedSeconds as number, stderr };
  };

  it('estimates the time of the rows in a file', async () => {
    await loadTable({ kind: 'parquet', file: join(folder, 'few.parquet') }, storeSalesData({ rows: 3, seed: 1 }));
    writeFileSync(join(folder, 'few.dat'), datLines.join('\n'));
    writeFileSync(join(folder, 'many.dat'), `${datLines[0]}\n`.repeat(60_000));
    const [rows, few, many, parquet] = [
      await estimateOf(),
      await estimateOf('--file', 'few.dat'),
      await estimateOf('--file', 'many.dat'),
      await estimateOf('--file', 'few.parquet'),
    ].map(({ seconds }) => seconds) as [number, number, number, number];
    expect(rows).toBeGreaterThan(100 * few);
    expect(rows).toBeGreaterThan(100 * parquet);
    expect(rows).toBeGreaterThan(100 * many);
  });

  it('names the rows that it assumes of data on a server', async () => {
    const { stderr } = await estimateOf('--table', 'shop.sales', '--postgres-url', 'postgresql://127.0.0.1:1/');
    expect(stderr).toContain('not known before the run: times are those of 100,000,000 rows');
    expect((await estimateOf()).stderr).not.toContain('not known');
  });

  it('of a missing file is an error', async () => {
    const { code, stderr } = await read(['data-access-small', '--file', 'no.parquet', '--dry-run']);
    expect(stderr).toMatch(/cannot open .*no\.parquet: there is no such file/);
    expect(code).toBe(2);
  });
});

describe('run refuses data', () => {
  it.each([
    [
      'named twice',
      ['data-access-small', '--table', 'a', '--file', 'b.parquet'],
      2,
      'a run reads one table: got --table and --file, expected one of them',
    ],
    [
      'of another source than that of --set',
      ['data-access-small', '--table', 'a', '--set', 'source=parquet'],
      2,
      '--table reads from postgresql: got --set source=parquet as well',
    ],
    [
      'next to a volume of --set',
      ['data-access-study', '--file', 'a.dat', '--set', 'volume=10'],
      2,
      '--file names the data of the run: got --set volume=10 as well',
    ],
    [
      'next to other data of --set',
      ['data-access-small', '--file', 'a.parquet', '--set', 'access.own.file=b.parquet'],
      2,
      '--file names the data of the run: got --set access.own.file=b.parquet as well',
    ],
    [
      'next to a volume in a section of --set',
      ['data-access-small', '--file', 'a.dat', '--set', 'access={"rows":10}'],
      2,
      /--file names the data of the run: got --set access=\{"rows":10\} as well\nhint: leave access\.rows out of --set access/,
    ],
    [
      'next to a section of --set that is no JSON',
      ['data-access-small', '--file', 'a.dat', '--set', 'access={rows: 10}'],
      2,
      '--file names the data of the run: got --set access={rows: 10} as well',
    ],
    [
      'of another source than that in a section of --set',
      ['data-access-small', '--table', 'a', '--set', 'access={"source":"parquet"}'],
      2,
      '--table reads from postgresql: got --set access={"source":"parquet"} as well',
    ],
    [
      'for an experiment that reads no table',
      ['quickstart', '--query', 'SELECT 1'],
      2,
      /--query needs an experiment with `access`: got .*quickstart\.yaml, which has none/,
    ],
    [
      'of a server that is not named',
      ['data-access-small', '--table', 'shop.sales'],
      2,
      /the table shop\.sales is on a server of your own: got no connection string[\s\S]*--postgres-url/,
    ],
    [
      'of a file that is not there',
      ['data-access-small', '--file', 'no.dat'],
      2,
      /cannot open .*no\.dat: there is no such file/,
    ],
    [
      'of a collection without its database',
      ['data-access-small', '--collection', 'sales'],
      2,
      'expected `database.collection`',
    ],
  ])('%s', async (_, args, expected, message) => {
    const { code, stderr } = await read([...args, '--out', 'refused']);
    expect(stderr).toMatch(message);
    expect(code).toBe(expected);
  });

  it('whose rows a factor of the file varies, at its place', async () => {
    const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: own\n';
    writeFileSync(
      join(folder, 'own.yaml'),
      `${head}access: { own: { query: SELECT 1 AS a } }\nfactors:\n  volume: [10, 20]\n`,
    );
    const { code, stderr } = await read(['own.yaml']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/own\.yaml:6:\d+: error TB_EXPERIMENT_ACCESS: `volume` varies the rows of the generated/);
  });
});
