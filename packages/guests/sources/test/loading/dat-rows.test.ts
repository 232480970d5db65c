import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { estimateDatRows } from '../../src/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-dat-rows-'));
});
afterAll(() => rm(folder, { recursive: true }));

const line = (n: number): string => `${n}|${'x'.repeat(100 + (n % 50))}|`;

it.each([
  ['an empty file', 0, '', 0],
  ['a small file', 1000, '\n', 0],
  ['a file whose last line has no end', 1000, '', 0],
  ['a large file, within a few percent', 20_000, '\n', 0.03],
])('counts the rows of %s', async (_, rows, end, error) => {
  const path = join(folder, 'rows.dat');
  await writeFile(path, rows === 0 ? '' : Array.from({ length: rows }, (_, n) => line(n)).join('\n') + end);
  const estimate = await estimateDatRows(path);
  expect(Math.abs(estimate - rows)).toBeLessThanOrEqual(error * rows);
});
