/**
 * What a killed process, a full disk and missing permissions leave behind: every repetition that was reported as
 * stored.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openRun, samplesOf } from '../src/run-folder.ts';
import { createRun, resumeRun } from '../src/run-writer.ts';
import { readSamples } from '../src/samples-file.ts';
import { exampleCell, exampleRecord, exampleSamples, largeDecisions } from './fixtures/example-record.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const isRoot = process.getuid?.() === 0;

/** A process that appends repetitions to the run until it is killed; the paths of those it reported as stored. */
async function appendUntilKilled(folder: string, killAfter: number, delayMs: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', fixture('store-repetitions.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const reported: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (reported.push(line) === killAfter) setTimeout(() => child.kill('SIGKILL'), delayMs);
  }
  expect((await exited)[1]).toBe('SIGKILL');
  return reported;
}

async function newRun(): Promise<string> {
  const folder = await temporaryFolder();
  await (
    await createRun(folder, exampleRecord({ repetitions: 1000, plannedCells: [{ architecture: 'none' }] }))
  ).close();
  return folder;
}

test('a run that is killed repeatedly while writing loses no stored repetition', async () => {
  const folder = await newRun();
  let stored: string[] = [];
  for (let round = 0; round < 3; round++) {
    stored.push(...(await appendUntilKilled(folder, 3 + round, 2 * round)));
    const run = await openRun(folder);
    expect(run.cells.map(({ samples }) => samples).slice(0, stored.length)).toEqual(stored);
    for (const cell of run.cells) expect(await readSamples(samplesOf(run, cell)!)).toEqual(exampleSamples);
    // One more may have been stored by a process that was killed before it could say so.
    stored = run.cells.map(({ samples }) => samples!);
  }
  const resumed = await resumeRun(folder);
  expect(resumed.missing).toHaveLength(1000 - stored.length);
  await resumed.close();
  expect((await readdir(join(folder, 'samples'))).sort()).toEqual(
    stored.map((path) => path.slice('samples/'.length)).sort(),
  );
});

test('a run is readable with all its samples at any time while it is written', async () => {
  const folder = await newRun();
  const writing = appendUntilKilled(folder, 40, 0);
  let over = false;
  const ended = writing.finally(() => {
    over = true;
  });
  const seen = new Set<number>();
  while (!over) {
    const run = await openRun(folder);
    seen.add(run.cells.length);
    for (const cell of run.cells.slice(-1)) expect(await readSamples(samplesOf(run, cell)!)).toEqual(exampleSamples);
  }
  await ended;
  expect(seen.size).toBeGreaterThan(3);
});

/** A file system of its own, for the length of the test; undefined with the reason where none can be mounted. */
async function mounted(options: string): Promise<string | undefined> {
  const folder = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'topo-bench-test', folder], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

test('a full disk ends the run with finished repetitions intact; it resumes once there is space', async ({ skip }) => {
  const folder = await mounted('size=600k');
  if (!folder) return skip('mounting a small file system needs root');
  const run = join(folder, 'run');
  const writer = await createRun(run, exampleRecord({ repetitions: 1000 }));
  const largeCell = (repetition: number) =>
    exampleCell({ architecture: 'none' }, repetition, { decisions: largeDecisions });
  let stored = 0;
  const fill = async () => {
    for (;;) {
      await writer.storeRepetition(largeCell(stored + 1), exampleSamples);
      stored++;
    }
  };
  await expect(fill()).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_DISK_FULL',
    exitCode: 3,
    hint: expect.stringContaining('--resume'),
  });
  expect(stored).toBeGreaterThan(0);
  await writer.close();

  const read = await openRun(run);
  expect(read.cells).toHaveLength(stored);
  for (const cell of read.cells) expect(await readSamples(samplesOf(read, cell)!)).toHaveLength(exampleSamples.length);

  execFileSync('mount', ['-o', 'remount,size=2m', folder]);
  const resumed = await resumeRun(run);
  await resumed.storeRepetition(largeCell(stored + 1), exampleSamples);
  await resumed.finish('finished');
  expect((await openRun(run)).cells).toHaveLength(stored + 1);
});

test('a disk that is full from the start leaves nothing behind, and the same run can begin once there is room', async ({
  skip,
}) => {
  const folder = await mounted('size=4k');
  if (!folder) return skip('mounting a small file system needs root');
  execFileSync('sh', ['-c', `head -c 4096 /dev/zero > ${join(folder, 'filler')}`]);
  const run = join(folder, 'run');
  await expect(createRun(run, exampleRecord())).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DISK_FULL' });
  expect(await readdir(run)).toEqual([]);
  execFileSync('mount', ['-o', 'remount,size=2m', folder]);
  await (await createRun(run, exampleRecord())).close();
});

test('a read-only file system is named as the reason', async ({ skip }) => {
  const folder = await mounted('size=64k');
  if (!folder) return skip('mounting a file system needs root');
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  await expect(createRun(join(folder, 'run'), exampleRecord())).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_NOT_WRITABLE',
    exitCode: 3,
  });
});

test('a folder without write permission is named as the reason', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o555);
  if (!isRoot) {
    await expect(createRun(join(folder, 'run'), exampleRecord())).rejects.toMatchObject({
      code: 'TB_RUN_FOLDER_NOT_WRITABLE',
    });
    return;
  }
  // Root may write anywhere: the check runs as the user `nobody`.
  const out = execFileSync(process.execPath, [
    '--import',
    'tsx',
    fixture('create-run-as-nobody.ts'),
    join(folder, 'run'),
  ]);
  expect(JSON.parse(out.toString())).toEqual({ code: 'TB_RUN_FOLDER_NOT_WRITABLE', exitCode: 3 });
});
