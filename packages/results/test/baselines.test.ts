import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gate, parseThreshold } from '@topo-bench/comparison';
import { expect, test } from 'vitest';
import { cellRun } from '../../comparison/test/fixtures/run-of.ts';
import { baselinePath, openBaseline, saveBaseline } from '../src/baselines.ts';
import { openRun } from '../src/run-folder.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

test('a plain name is a folder of the baselines folder, a path stays a path', () => {
  expect(baselinePath('main')).toBe(join('.topo-bench', 'baselines', 'main'));
  expect(baselinePath('v1.2')).toBe(join('.topo-bench', 'baselines', 'v1.2'));
  expect(['./main', 'a/b', '/tmp/x', '..', '.'].map(baselinePath)).toEqual(['./main', 'a/b', '/tmp/x', '..', '.']);
});

test('a saved baseline is all that a gate needs, infinite figures included', async () => {
  const folder = join(await temporaryFolder(), 'deep', 'main');
  const run = cellRun([100, 101, 102, 103, 104, Number.POSITIVE_INFINITY]);
  expect(await saveBaseline(run, folder)).toBe(folder);
  expect((await readdir(folder)).sort()).toEqual(['cells.json', 'run.json']);
  const modes = await Promise.all(
    [folder, join(folder, 'run.json'), join(folder, 'cells.json')].map((path) => stat(path)),
  );
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600']);
  const saved = await openBaseline(folder);
  expect(saved?.cells.map(({ rtt }) => rtt.medianUs)).toEqual([100, 101, 102, 103, 104, Number.POSITIVE_INFINITY]);
  expect(saved?.cells.every(({ samples }) => samples === undefined)).toBe(true);
  const thresholds = [parseThreshold('rtt.median < +50%')];
  expect(gate(run, saved, thresholds).thresholds[0]?.pooled).toEqual(gate(run, run, thresholds).thresholds[0]?.pooled);
});

test('saving again replaces the baseline as a whole and leaves no other files', async () => {
  const parent = await temporaryFolder();
  await saveBaseline(cellRun([1, 2]), join(parent, 'main'));
  await saveBaseline(cellRun([3]), `${join(parent, 'main')}/`);
  expect(await readdir(parent)).toEqual(['main']);
  expect((await openRun(join(parent, 'main'))).cells).toHaveLength(1);
});

test('a run folder with samples, a source folder or a file is never overwritten', async () => {
  const parent = await temporaryFolder();
  await mkdir(join(parent, 'src'));
  await writeFile(join(parent, 'src', 'precious.ts'), '');
  await expect(saveBaseline(cellRun([1]), join(parent, 'src'))).rejects.toMatchObject({
    code: 'TB_FILE_EXISTS',
    exitCode: 2,
  });
  await expect(saveBaseline(cellRun([1]), join(parent, 'src', 'precious.ts'))).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_NOT_A_FOLDER',
  });
  expect(await readdir(join(parent, 'src'))).toEqual(['precious.ts']);
  expect(await readdir(parent)).toEqual(['src']);
});

test('a missing baseline is undefined, a damaged one is an error', async () => {
  const parent = await temporaryFolder();
  expect(await openBaseline(join(parent, 'none'))).toBeUndefined();
  await saveBaseline(cellRun([1]), join(parent, 'main'));
  await writeFile(join(parent, 'main', 'cells.json'), '[');
  await expect(openBaseline(join(parent, 'main'))).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DAMAGED' });
});
