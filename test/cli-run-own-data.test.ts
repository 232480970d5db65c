import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { loadTable, storeSalesData } from '@topo-bench/sources';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
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

async function cellsOf(args: readonly string[]): Promise<Cell[]> {
  const { code, stdout, stderr } = await read(args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).cells as Cell[];
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
    const all = JSON.parse(resumed.stdout).cells as Cell[];
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

describe('run refuses data', () => {
  it.each([
    [
      'named twice',
      ['data-access-small', '--table', 'a', '--file', 'b.parquet'],
      2,
      'a run reads one table: got --table and --file, expected one of them',
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
