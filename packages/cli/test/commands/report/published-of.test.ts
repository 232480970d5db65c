import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { syntheticRun } from '../../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../../report/test/fixtures/temporary-folder.ts';
import { publishedOf } from '../../../src/commands/report/published-of.ts';

afterEach(() => vi.restoreAllMocks());

/** A run whose experiment, in `folder`/experiments, names published figures. */
async function runNaming(published: string | undefined): Promise<{ run: string; csv: string }> {
  const folder = await temporaryFolder();
  const run = join(folder, 'run');
  await syntheticRun(run, { architectures: ['sidecar'], services: [5], rates: [100], repetitions: 1, requests: 2 });
  const record = JSON.parse(await readFile(join(run, 'run.json'), 'utf8'));
  record.inputs = { experiment: { file: join(folder, 'experiments', 'own.yaml'), text: '' } };
  if (published !== undefined) record.experiment.published = published;
  await writeFile(join(run, 'run.json'), JSON.stringify(record));
  await mkdir(join(folder, 'experiments', 'published'), { recursive: true });
  const csv = join(folder, 'experiments', 'published', 'own.csv');
  await writeFile(csv, 'architecture,services,rate_rps,median_rtt_ms\nsidecar,5,100,3\n');
  return { run, csv };
}

test('the file that the experiment names is found next to the experiment', async () => {
  const { run, csv } = await runNaming('published/own.csv');
  expect(await publishedOf([run])).toBe(csv);
  await expect(publishedOf([run, (await runNaming('published/own.csv')).run])).rejects.toMatchObject({
    code: 'TB_PUBLISHED_INVALID',
    message: expect.stringContaining('different published figures'),
  });
});

test('a missing file is an error with the way out, and no name is a warning', async () => {
  const { run } = await runNaming('published/gone.csv');
  await expect(publishedOf([run])).rejects.toMatchObject({
    code: 'TB_PUBLISHED_INVALID',
    message: expect.stringContaining('gone.csv, which the experiment names'),
    hint: expect.stringContaining('--published FILE'),
  });
  const warned = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await publishedOf([(await runNaming(undefined)).run])).toBeUndefined();
  expect(String(warned.mock.calls[0]?.[0])).toContain('no run names published figures');
});
