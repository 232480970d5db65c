import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Span } from '@topo-bench/core';
import { expect, test } from 'vitest';
import { readSpans, writeSpans } from '../src/spans-file.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const spans: Span[] = [
  { id: 'r1-000001', role: 'gateway', kind: 'call', service: 'pricing', startUs: 12.5, durationUs: 800 },
  { id: 'r1-000001', role: 'pricing', kind: 'work', service: 'pricing', startUs: 300, durationUs: 0.25 },
];
const samples = 'samples/sidecar_r1_0a0b0c0d.parquet';

test('spans are read as they were written, also those of a superseded measurement', async () => {
  const folder = await temporaryFolder();
  await writeSpans(folder, samples, spans);
  expect(await readSpans({ folder }, { samples })).toEqual(spans);
  expect(await readSpans({ folder }, { samples: samples.replace('/', '/discarded/') })).toEqual(spans);
});

test('a repetition that was not traced has no spans and no file', async () => {
  const folder = await temporaryFolder();
  await writeSpans(folder, samples, []);
  expect(await readdir(folder)).toEqual([]);
  expect(await readSpans({ folder }, { samples })).toEqual([]);
  expect(await readSpans({ folder }, {})).toEqual([]);
});

test.each([
  ['{"id":"r1', 'it is cut off'],
  ['{"id":"r1-000001","role":"gateway"}\n', 'it is not a span'],
  [`${JSON.stringify({ ...spans[0], kind: 'guess' })}\n`, 'it is not a span'],
])('a damaged file is reported with its line: %s', async (added, why) => {
  const folder = await temporaryFolder();
  await writeSpans(folder, samples, spans);
  await appendFile(join(folder, 'spans', 'sidecar_r1_0a0b0c0d.ndjson'), added);
  await expect(readSpans({ folder }, { samples })).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_DAMAGED',
    location: { line: 3 },
    message: expect.stringContaining(why),
  });
});
