/** Dictionary indexes of all widths: the values that were written, or a refusal, by rows and by columns. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../src/index.ts';
import { type DictionaryFile, dictionaryFile } from './dictionary-file.ts';

const words = Array.from({ length: 120 }, (_, i) => `word ${i}`);
const indexes = Array.from({ length: 64 }, (_, i) => (i * 37 + 5) % 120);
const expected = indexes.map((index) => words[index]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-widths-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function valuesOf(options: Omit<DictionaryFile, 'words' | 'indexes'>, path: 'rows' | 'columns') {
  const file = join(folder, 'widths.parquet');
  await writeFile(file, dictionaryFile({ ...options, words, indexes }));
  const source = await openSource({ kind: 'parquet', file });
  const values: unknown[] = [];
  try {
    if (path === 'rows')
      for await (const rows of source.rows({ batchRows: 10 })) values.push(...rows.map(({ v }) => v));
    else
      for await (const batch of source.columns({ batchRows: 10, connections: 1 }))
        values.push(...(batch.getChildAt(0) ?? []));
  } finally {
    await source.close();
  }
  return values;
}

/** Every form of a page in front of the indexes. */
const forms = [{}, { optional: true }, { gzip: true }, { optional: true, gzip: true }].flatMap((form) => [
  { ...form, page: 1 as const },
  { ...form, page: 2 as const },
]);

describe.each([7, 20, 24, 25, 26, 27, 31, 32])('dictionary indexes of %i bits', (width) => {
  it.each(['packed', 'rle'] as const)('%s have the written values by columns', async (run) => {
    for (const form of forms) expect(await valuesOf({ ...form, width, run }, 'columns')).toEqual(expected);
  });

  it('have the written values by rows in runs of one value', async () => {
    for (const form of forms) expect(await valuesOf({ ...form, width, run: 'rle' }, 'rows')).toEqual(expected);
  });

  it(`are ${width <= 24 ? 'read' : 'refused'} by rows where they are packed`, async () => {
    for (const form of forms) {
      const values = valuesOf({ ...form, width, run: 'packed' }, 'rows');
      if (width <= 24) expect(await values, JSON.stringify(form)).toEqual(expected);
      else
        await expect(values, JSON.stringify(form)).rejects.toMatchObject({
          code: 'TB_SOURCE_TYPE',
          message: `column v: got type bit-packed dictionary index of ${width} bits, more than 24, which has no mapping to Arrow`,
        });
    }
  });
});

it('an encoding without a name in the footer decides nothing by rows, and is refused by columns', async () => {
  const options = { width: 7, run: 'packed', encodings: [8, 63] } as const;
  expect(await valuesOf(options, 'rows')).toEqual(expected);
  await expect(valuesOf(options, 'columns')).rejects.toMatchObject({ code: 'TB_SOURCE_DAMAGED' });
});

it.each([false, true])('a run of more values than its page is refused by rows: gzip %s', async (gzip) => {
  for (const page of [1, 2] as const) {
    const options = { width: 7, run: 'rle', optional: true, gzip, page, inLevels: 2 ** 31 - 1 } as const;
    await expect(valuesOf(options, 'rows')).rejects.toMatchObject({
      code: 'TB_SOURCE_DAMAGED',
      message: expect.stringContaining(`a run of column v has ${2 ** 31 - 1} values, its page 64`),
    });
    // Its surplus values are none of the page.
    expect(await valuesOf(options, 'columns')).toEqual(expected);
  }
});
