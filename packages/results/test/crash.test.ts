/** What a killed process, a full disk and missing permissions leave behind: every repetition that was reported as stored. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openRun, samplesOf } from '../src/run-folder.ts';
import { createRun, resumeRun } from '../src/run-writer.ts';
import { readSamples } from '../src/samples-file.ts';
import { exampleCell, exampleRecord, exampleSamples } from './fixtures/example-record.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const isRoot = process.getuid?.() === 0;

test('killed again and again while it writes, a run loses nothing that it had stored', async () => {
  const folder = await temporaryFolder();
  await (await createRun(folder, exampleRecord({ repetitions: 1000, plannedCells: [{ architecture: 'none' }] }))).close();
  const stored: string[] = [];
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, ['--import', 'tsx', fixture('append-repetitions.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let seen = 0;
    for await (const line of createInterface(child.stdout)) {
      stored.push(line);
      // A different moment each round; lines that were under way when the kill came are read to the end.
      if (++seen === 2 + round) setTimeout(() => child.kill('SIGKILL'), 3 * round);
    }
    if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');

    const run = await openRun(folder);
    expect(run.cells.map(({ samples }) => samples).slice(0, stored.length)).toEqual(stored);
    for (const cell of run.cells) expect(await readSamples(samplesOf(run, cell)!)).toHaveLength(2000);
    // Stored, but killed before it could say so.
    stored.splice(0, stored.length, ...run.cells.map(({ samples }) => samples!));
  }
  const resumed = await resumeRun(folder);
  expect(resumed.missing).toHaveLength(1000 - stored.length);
  await resumed.close();
  expect((await readdir(join(folder, 'samples'))).sort()).toEqual(stored.map((path) => path.slice('samples/'.length)).sort());
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

test('a full disk ends the run with what is finished intact, and the run continues once there is room', async ({ skip }) => {
  const folder = await mounted('size=200k');
  if (!folder) return skip('mounting a small file system needs root');
  const run = join(folder, 'run');
  const writer = await createRun(run, exampleRecord({ repetitions: 1000 }));
  const samples = Array.from({ length: 500 }, (_, index) => ({
    ...exampleSamples[0]!,
    id: `${Math.sin(index)}`,
    rttUs: Math.random(),
  }));
  let stored = 0;
  const fill = async () => {
    for (;;) {
      await writer.appendRepetition(exampleCell({ architecture: 'none' }, stored + 1), samples);
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
  for (const cell of read.cells) expect(await readSamples(samplesOf(read, cell)!)).toHaveLength(500);

  execFileSync('mount', ['-o', 'remount,size=2m', folder]);
  const resumed = await resumeRun(run);
  await resumed.appendRepetition(exampleCell({ architecture: 'none' }, stored + 1), samples);
  await resumed.finish('finished');
  expect((await openRun(run)).cells).toHaveLength(stored + 1);
});

test('a disk that is full from the start leaves no lock behind', async ({ skip }) => {
  const folder = await mounted('size=4k');
  if (!folder) return skip('mounting a small file system needs root');
  execFileSync('sh', ['-c', `head -c 4096 /dev/zero > ${join(folder, 'filler')}`]);
  await expect(createRun(join(folder, 'run'), exampleRecord())).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DISK_FULL' });
  await expect(stat(join(folder, 'run', 'run.lock'))).rejects.toMatchObject({ code: 'ENOENT' });
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
    await expect(createRun(join(folder, 'run'), exampleRecord())).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_WRITABLE' });
    return;
  }
  // Root may write anywhere: ask as nobody.
  const out = execFileSync(process.execPath, ['--import', 'tsx', fixture('create-run-as-nobody.ts'), join(folder, 'run')]);
  expect(JSON.parse(out.toString())).toEqual({ code: 'TB_RUN_FOLDER_NOT_WRITABLE', exitCode: 3 });
});
