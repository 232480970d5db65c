/** pyarrow and ADBC read what the built programs of variants D and E serve over Flight. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { missingModule } from '../../../../libraries/arrow-flight/test/fixtures/python.ts';
import { kinds, startStores, type TestStores } from '../../../sources/test/fixtures/test-stores.ts';
import { createLauncher, type LaunchedStream, type Launcher, launchConversion, launchExport } from '../../src/index.ts';
import { configured, discoverStream } from '../fixtures/run-connector.ts';
import { openSales, type Sale, type SalesTable } from './sales.ts';

const python = process.env.TOPO_BENCH_PYTHON ?? 'python3';
const missing = missingModule('pyarrow.flight, adbc_driver_flightsql.dbapi');
const batchRows = 700;
const sales: Sale[] = Array.from({ length: 2000 }, (_, at) => ({
  id: at - 1000,
  price: at / 4,
  note: at % 7 === 0 ? null : `ü "${at}"\n`,
  ok: at % 3 === 0,
}));

let stores: TestStores;
let launcher: Launcher;
beforeAll(async () => {
  if (missing) return;
  stores = await startStores();
  launcher = await createLauncher('process', { builtFolder: join(import.meta.dirname, '../../../../cli/dist') });
});
afterAll(async () => {
  await launcher?.close();
  await stores?.stop();
});

describe.skipIf(missing)(`a stream over Flight${missing ? ` (skipped: ${missing})` : ''}`, () => {
  describe.each(kinds)('of %s', (kind) => {
    let table: SalesTable;
    beforeAll(async () => {
      if (stores.missing(kind)) return;
      table = await openSales(stores.table(kind, 'sales'));
      await table.write(sales);
    });
    afterAll(() => table?.close());

    const launchers: Readonly<Record<'D' | 'E', () => Promise<LaunchedStream>>> = {
      async D() {
        const catalog = configured(await discoverStream(kind, table.config, 'sales'));
        const { config } = table;
        return launchConversion(launcher, { store: kind, config, catalog, batchRows, compression: 'lz4' });
      },
      E: () =>
        launchExport(launcher, { table: stores.table(kind, 'sales'), batchRows, connections: 1, compression: 'zstd' }),
    };
    it.for([
      ['D', 'pyarrow'],
      ['D', 'adbc'],
      ['E', 'pyarrow'],
      ['E', 'adbc'],
    ] as const)('by variant %s is read by %s', async ([variant, client], { skip }) => {
      const reason = stores.missing(kind);
      if (reason) skip(reason);
      const launched = await launchers[variant]();
      onTestFinished(() => launched.stop());
      const { types, rows } = await readBy(client, launched);
      expect(types.slice(-4)).toEqual([
        'int32',
        kind === 'postgresql' ? 'decimal128(7, 2)' : 'double',
        'string',
        'bool',
      ]);
      expect(rows.map(({ _id, ...row }) => ({ ...row, price: Number(row.price) }))).toEqual(sales);
      await launched.whole();
    });
  });
});

interface Read {
  types: string[];
  rows: Record<string, unknown>[];
}

async function readBy(client: string, { flightUrl, user, password, stream }: LaunchedStream): Promise<Read> {
  const child = spawn(python, [join(import.meta.dirname, 'read_flight.py'), client]);
  let [text, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  // The password is part of no argument list.
  child.stdin.end(JSON.stringify({ url: flightUrl, user, password, stream }));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(errors);
  return JSON.parse(text) as Read;
}
