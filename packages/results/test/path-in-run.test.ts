import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRun, samplesOf } from '../src/run-folder.ts';
import { createRun, resumeRun } from '../src/run-writer.ts';
import { exampleCell, exampleRecord, exampleSamples } from './fixtures/example-record.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const damaged = { code: 'TB_RUN_FOLDER_DAMAGED', message: expect.stringContaining('expected a path inside it') };

/** A run whose one repetition may be measured again, in a folder next to a file that is none of its business. */
async function foreignRun(): Promise<{ folder: string; victim: string; around: string }> {
  const around = await temporaryFolder();
  const folder = join(around, 'run');
  const validity = { valid: false, reasons: ['late'], flags: [], onlyLate: true as const };
  const writer = await createRun(folder, exampleRecord());
  await writer.storeRepetition(exampleCell({ architecture: 'none' }, 1, { validity }), exampleSamples);
  await writer.finish('interrupted');
  const victim = join(around, 'victim.parquet');
  await writeFile(victim, 'precious');
  return { folder, victim, around };
}

async function nameSamples(folder: string, samples: string, of: 'entry' | 'discarded' = 'entry'): Promise<void> {
  const file = join(folder, 'cells.json');
  const [entry] = JSON.parse(await readFile(file, 'utf8'));
  const { factors, repetition, ...rest } = entry;
  const changed =
    of === 'entry' ? { ...entry, samples } : { ...entry, discarded: [{ ...measurementOf(rest), samples }] };
  await writeFile(file, JSON.stringify([changed]));
}

function measurementOf({ achievedRps, rtt, responseTime, schedulerLag, validity }: Record<string, unknown>): object {
  return { achievedRps, rtt, responseTime, schedulerLag, validity };
}

describe('paths of samples in a run folder', () => {
  it.each(['../victim.parquet', 'samples/../../victim.parquet', '/etc/passwd', '..', '.'])(
    'are refused outside of it: %s',
    async (path) => {
      const { folder, victim } = await foreignRun();
      for (const of of ['entry', 'discarded'] as const) {
        await nameSamples(folder, path, of);
        await expect(openRun(folder)).rejects.toMatchObject(damaged);
        await expect(resumeRun(folder)).rejects.toMatchObject(damaged);
      }
      expect(await readFile(victim, 'utf8')).toBe('precious');
    },
  );

  it('are rejected when a link leads out of the folder, and nothing is read, copied or deleted there', async () => {
    const { folder, victim, around } = await foreignRun();
    await symlink(victim, join(folder, 'samples/link.parquet'));
    await nameSamples(folder, 'samples/link.parquet');
    await expect(openRun(folder)).rejects.toMatchObject(damaged);
    await expect(resumeRun(folder)).rejects.toMatchObject(damaged);
    await symlink(join(around, 'not-there'), join(folder, 'samples/to-nothing.parquet'));
    await nameSamples(folder, 'samples/to-nothing.parquet');
    await expect(resumeRun(folder)).rejects.toMatchObject(damaged);
    expect(await readFile(victim, 'utf8')).toBe('precious');
  });

  it('are not deleted in another folder that `samples` links to', async () => {
    const { folder, around } = await foreignRun();
    const elsewhere = join(around, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'other.parquet'), 'precious');
    await rename(join(folder, 'samples'), join(around, 'samples-of-run'));
    await symlink(elsewhere, join(folder, 'samples'));
    await writeFile(join(folder, 'cells.json'), '[]');
    await expect(resumeRun(folder)).rejects.toMatchObject(damaged);
    expect(await readdir(elsewhere)).toEqual(['other.parquet']);
  });

  it('are found in a folder that is reached through a link', async () => {
    const { folder, around } = await foreignRun();
    const link = join(around, 'link-to-run');
    await symlink(folder, link);
    const run = await openRun(link);
    const path = samplesOf(run, run.cells[0] as never) as string;
    expect((await readFile(path)).subarray(0, 4).toString()).toBe('PAR1');
    const writer = await resumeRun(link);
    await writer.storeRepetition(exampleCell({ architecture: 'none' }, 1), exampleSamples);
    await writer.finish('finished');
    expect((await openRun(folder)).cells[0]?.discarded).toHaveLength(1);
  });
});
