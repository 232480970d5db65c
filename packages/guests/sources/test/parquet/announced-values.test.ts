/** Few bytes that announce many values: read in bounded memory, or refused before any memory is taken. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../src/index.ts';
import { dictionaryFile } from './dictionary-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-announced-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Announced {
  inPage: number;
  inColumn: number;
  page: 1 | 2;
}

/** Reads a column of nulls in one run. @returns the number of rows */
async function rowsOf({ inPage, inColumn, page }: Announced, path: 'rows' | 'columns'): Promise<number> {
  const file = join(folder, 'announced.parquet');
  const counts = { announced: inPage, inColumn };
  const bytes = dictionaryFile({ width: 4, run: 'rle', words: ['a'], indexes: [], optional: true, page, ...counts });
  expect(bytes.length).toBeLessThan(300);
  await writeFile(file, bytes);
  const source = await openSource({ kind: 'parquet', file });
  let count = 0;
  try {
    if (path === 'rows') for await (const rows of source.rows({ batchRows: 2000 })) count += rows.length;
    else for await (const { numRows } of source.columns({ batchRows: 10_000, connections: 1 })) count += numRows;
  } finally {
    await source.close();
  }
  return count;
}

describe.each([1, 2] as const)('a page of version %i', (page) => {
  const most = 2 ** 31 - 1;

  it('with a million nulls has them all, by both paths', async () => {
    const million = { inPage: 2 ** 20, inColumn: 2 ** 20, page };
    expect(await rowsOf(million, 'rows')).toBe(2 ** 20);
    expect(await rowsOf(million, 'columns')).toBe(2 ** 20);
  });

  it('that announces more values than its column is refused by rows', async () => {
    await expect(rowsOf({ inPage: most, inColumn: 64, page }, 'rows')).rejects.toMatchObject({
      code: 'TB_SOURCE_DAMAGED',
      message: expect.stringContaining(`pages of column v have ${most} values, expected 64`),
    });
  });

  it('with billions of nulls is refused by rows', async () => {
    await expect(rowsOf({ inPage: most, inColumn: most, page }, 'rows')).rejects.toMatchObject({
      code: 'TB_SOURCE_TYPE',
      message: expect.stringContaining(`column v: got type pages of ${most} values in one piece, more than 8388608`),
    });
  });

  it('is decoded piece by piece by columns', async () => {
    const before = process.memoryUsage.rss();
    expect(await rowsOf({ inPage: 2 ** 26, inColumn: 2 ** 26, page }, 'columns')).toBe(2 ** 26);
    // As one piece it takes 1.2 GiB.
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(500);
  });
});
