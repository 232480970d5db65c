/** PyAirbyte, the Airbyte client for Python, drives the built connector of every store. */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programOutput } from '@topo-bench/host';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { kinds, startStores, type TestStores } from '../../../sources/test/fixtures/test-stores.ts';
import { openSales, type Sale } from './sales.ts';

const python = process.env.TOPO_BENCH_AIRBYTE_PYTHON ?? 'python3';
const version = await programOutput(
  python,
  ['-c', 'from importlib.metadata import version; print(version("airbyte"))'],
  60_000,
);
const isMissing = version === undefined;
const reason = `${python} has no PyAirbyte: pip install airbyte, and name that Python in TOPO_BENCH_AIRBYTE_PYTHON`;
if (isMissing && process.env.CI === 'true') throw new Error(reason);
const connector = join(import.meta.dirname, '../../../../cli/dist/connector.js');

interface Result {
  streams: string[];
  full: number;
  first: number;
  second: number;
  rows: Record<string, unknown>[];
}

const sales: Sale[] = Array.from({ length: 2000 }, (_, at) => ({
  id: at + 1,
  price: (at + 1) / 100,
  note: `ü${at + 1}`,
  ok: at % 2 === 1,
}));
const newer: Sale = { id: 2001, price: -0.5, note: null, ok: true };

let stores: TestStores;
beforeAll(async () => {
  if (!isMissing) stores = await startStores();
});
afterAll(() => stores?.stop());

describe.skipIf(isMissing)(`PyAirbyte${isMissing ? ` (skipped: ${reason})` : ''}`, () => {
  const title = 'checks, discovers and reads the connector of %s in full and by a cursor, then new rows only';
  it.for(kinds)(title, { timeout: 180_000 }, async (kind, { skip }) => {
    const missing = stores.missing(kind);
    if (missing) skip(missing);
    const folder = await mkdtemp(join(tmpdir(), 'topo-bench-airbyte-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { config, write, close } = await openSales(stores.table(kind, 'sales'));
    onTestFinished(close);
    await write(sales);

    const executable = join(folder, 'connector');
    await writeFile(executable, `#!/bin/sh\nexec '${process.execPath}' '${connector}' ${kind} "$@"\n`);
    await chmod(executable, 0o700);
    const environment = { ...process.env, TMPDIR: folder, HOME: folder, AIRBYTE_LOGGING_ROOT: folder };
    const child = spawn(python, ['-B', join(import.meta.dirname, 'drive_connector.py'), executable], {
      cwd: folder,
      env: { ...environment, AIRBYTE_OFFLINE_MODE: '1', DO_NOT_TRACK: '1' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let errors = '';
    child.stderr.on('data', (text) => {
      errors = (errors + text).slice(-4000);
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const answer = async (): Promise<Result> => {
      const { value, done } = await lines.next();
      if (done) throw new Error(errors);
      return JSON.parse(value) as Result;
    };
    child.stdin.write(`${JSON.stringify({ config, stream: 'sales', cursor: 'id', folder })}\n`);
    const { full, first, rows: all } = await answer();
    expect({ full, first }).toEqual({ full: 2000, first: 2000 });
    expect(salesOf(all)).toEqual(sales);
    await write([newer]);
    child.stdin.write('\n');
    const { streams, second, rows } = await answer();
    expect(streams).toEqual(['sales']);
    expect(second).toBe(1);
    expect(salesOf(rows)).toEqual([...sales, newer]);
  });
});

/** The cache may return decimals as text. Documents have an identifier of their own. */
function salesOf(rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return rows
    .map(({ _id, ...row }): Record<string, unknown> => ({ ...row, price: Number(row.price) }))
    .sort((one, other) => Number(one.id) - Number(other.id));
}
