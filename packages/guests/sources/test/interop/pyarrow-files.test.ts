/** Files that pyarrow writes, in every codec and form of page, by both paths. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordBatch } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingModule, runPython } from '../../../../libraries/arrow-flight/test/fixtures/python.ts';
import { batchOfRows, openSource, type Source } from '../../src/index.ts';

const missing = missingModule('pyarrow.parquet');
let folder: string | undefined;
let expected: unknown[][];

// Neither hook runs when the tests of this file are skipped: the folder belongs to the first.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'topo-bench-pyarrow-files-'));
  expected = await runPython('../../../../guests/sources/test/interop/write_parquet.py', folder, '1000');
});
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

describe.skipIf(missing)(`a file of pyarrow${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('has the values that were written, by columns and by rows', async () => {
    const written = folder as string;
    const files = readdirSync(written);
    expect(files).toHaveLength(25);
    for (const file of files) {
      const source = await openSource({ kind: 'parquet', file: join(written, file) });
      const columns = source.columns({ batchRows: 130, connections: 1 });
      expect(await valuesOf(columns), file).toEqual(expected);
      expect(await valuesOf(batchesOfRows(source)), file).toEqual(expected);
      await source.close();
    }
  });
});

async function* batchesOfRows(source: Source): AsyncGenerator<RecordBatch> {
  for await (const some of source.rows({ batchRows: 400 })) yield batchOfRows(source.schema, some);
}

const scales: Readonly<Record<string, number>> = { c4: 2, c5: 3, c6: 4, c13: 3, c14: 2 };

/** Rows as pyarrow's script prints them, by Arrow's own accessors. */
async function valuesOf(batches: AsyncIterable<RecordBatch>): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const batch of batches) {
    const columns = batch.schema.fields.map(({ name }) => [name, batch.getChild(name)] as const);
    for (let row = 0; row < batch.numRows; row++) {
      rows.push(columns.map(([name, column]) => textOf(name, column?.get(row) ?? null, column, row)));
    }
  }
  return rows;
}

function textOf(name: string, value: unknown, column: ReturnType<RecordBatch['getChild']>, row: number): unknown {
  if (value === null) return null;
  const data = column?.data[0];
  if (name === 'c1') return Number(value);
  if (name in scales) return decimalText(data?.values.subarray(4 * row, 4 * row + 4) as Uint32Array, scales[name] ?? 0);
  if (name === 'c7') return new Date(Number(data?.values[row]) * 86_400_000).toISOString().slice(0, 10);
  if (name === 'c8') return instantText(data?.values[row] as bigint);
  return value instanceof Uint8Array ? [...value] : value;
}

function decimalText(words: Uint32Array, scale: number): string {
  const [a, b, c, d] = Array.from(words, BigInt) as [bigint, bigint, bigint, bigint];
  const unscaled = BigInt.asIntN(128, a | (b << 32n) | (c << 64n) | (d << 96n));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** `1969-01-01 01:00:00.000001+00:00`, without a fraction of 0. */
function instantText(micros: bigint): string {
  const millis = Number((micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n);
  const text = new Date(millis).toISOString().replace('T', ' ').slice(0, -1);
  const fraction = `${text.slice(20)}${String(((micros % 1000n) + 1000n) % 1000n).padStart(3, '0')}`;
  return `${text.slice(0, 19)}${fraction === '000000' ? '' : `.${fraction}`}+00:00`;
}
