/** Parquet files with damage anywhere. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal, Field, Int32, List, Schema, Utf8 } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOfRows, datFileData, loadTable, openSource } from '../../src/index.ts';
import { openParquetFile } from '../../src/parquet/open-file.ts';

const schema = new Schema([
  new Field('id', new Int32(), true),
  new Field('price', new Decimal(2, 7, 128), true),
  new Field('note', new Utf8(), true),
  new Field('days', new List(new Field('item', new Int32(), true)), true),
]);
const rowOf = (n: number) => ({
  id: n % 5 === 0 ? null : n % 3,
  price: `${n}.25`,
  note: `note ${n % 4}`,
  days: n % 2 === 0 ? [n, null] : null,
});
const rows = Array.from({ length: 60 }, (_, n) => rowOf(n));

let folder: string;
let path: string;
let bytes: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-damage-'));
  path = await written('whole', [rows.slice(0, 30), rows.slice(30)]);
  bytes = await readFile(path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(name: string, groups: (typeof rows)[]): Promise<string> {
  const file = join(folder, `${name}.parquet`);
  const batches = groups.map((group) => batchOfRows(schema, group));
  await loadTable({ kind: 'parquet', file }, { schema, batches: () => batches });
  return file;
}

/** @returns the number of rows; rejects as the source does */
async function rowsIn(file: string, path: 'columns' | 'rows' = 'columns'): Promise<number> {
  const source = await openSource({ kind: 'parquet', file });
  try {
    let count = 0;
    if (path === 'rows') {
      // Values are checked where they become columns.
      for await (const batch of source.rows({ batchRows: 20 })) count += batchOfRows(source.schema, batch).numRows;
      return count;
    }
    for await (const batch of source.columns({ batchRows: 20, connections: 1 })) count += batch.numRows;
    return count;
  } finally {
    await source.close();
  }
}

describe('a damaged Parquet file', () => {
  it.each(['columns', 'rows'] as const)(
    'is an error, or yields all rows, wherever bytes are damaged: by %s',
    async (by) => {
      const damagedPath = join(folder, 'damaged.parquet');
      let refused = 0;
      for (let at = 4; at < bytes.length - 2; at += 3) {
        const copy = Buffer.from(bytes);
        copy.fill(0xff, at, at + 2);
        await writeFile(damagedPath, copy);
        // A value of another length or form still is a value.
        const outcome = await rowsIn(damagedPath, by).catch((error: unknown) => error);
        if (typeof outcome === 'number') expect(outcome, `at ${at}`).toBe(60);
        else {
          refused++;
          expect(outcome, `at ${at}`).toMatchObject({
            code: expect.stringMatching(/^TB_SOURCE_(DAMAGED|TYPE|VALUE)$/),
          });
          const { code, message } = outcome as { code: string; message: string };
          if (code === 'TB_SOURCE_DAMAGED') expect(message).toContain(damagedPath);
        }
      }
      expect(refused).toBeGreaterThan(100);
      // The decoder still works after a failure.
      expect(await rowsIn(path, by)).toBe(60);
    },
  );

  it('is an error wherever it is cut off', async () => {
    const cut = join(folder, 'cut.parquet');
    for (let length = bytes.length - 1; length > 0; length -= 97) {
      await writeFile(cut, bytes.subarray(0, length));
      await expect(rowsIn(cut), `of ${length} bytes`).rejects.toMatchObject({ code: 'TB_SOURCE_DAMAGED' });
    }
  });

  it.each([0, 4, 11])('is an error in plain words with %i bytes', async (length) => {
    const short = join(folder, 'short.parquet');
    await writeFile(short, bytes.subarray(0, length));
    const message = `${short} cannot be read: got ${length} bytes, expected a Parquet file of 12 bytes or more`;
    await expect(rowsIn(short)).rejects.toMatchObject({ code: 'TB_SOURCE_DAMAGED', message });
  });

  it.skipIf(process.platform === 'win32')('that is a pipe or a folder is refused, not waited for', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const hint = expect.stringMatching(/^(correct the path|give the path)/);
    for (const path of [pipe, folder]) {
      const refusal = { code: 'TB_FILE_NOT_FOUND', message: `cannot open ${path}: it is not a regular file`, hint };
      await expect(rowsIn(path)).rejects.toMatchObject(refusal);
      await expect(datFileData(path)).rejects.toMatchObject(refusal);
    }
  });

  it('has no bytes beyond its end, for which no memory is taken', async () => {
    const { file, close } = await openParquetFile(path);
    await expect(file.slice(4, 4 + 2 ** 32)).rejects.toThrow(`got bytes 4 to ${4 + 2 ** 32} of a file`);
    await expect(file.slice(-1, 3)).rejects.toMatchObject({ code: 'TB_SOURCE_DAMAGED' });
    await close();
  });
});
