import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeLock } from '../src/run-lock.ts';
import { createRun, resumeRun } from '../src/run-writer.ts';
import { exampleRecord } from './fixtures/example-record.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

test('a folder has one writer at a time', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  await expect(resumeRun(folder)).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_LOCKED',
    message: new RegExp(`${process.pid}`),
  });
  await writer.close();
  await (await resumeRun(folder)).close();
});

test('one of many concurrent processes gets the lock', async () => {
  const folder = await temporaryFolder();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(folder)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a stale lock is replaced', async () => {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  await writeFile(join(folder, 'run.lock'), JSON.stringify({ pid: child.pid, start: null }));
  await expect(takeLock(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_LOCKED' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await takeLock(folder)).release();
  expect(await readdir(folder)).toEqual([]);
});

test.skipIf(!existsSync('/proc/self/stat'))(
  'a process that got the id of a dead one does not own its lock',
  async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'run.lock'), JSON.stringify({ pid: process.pid, start: '1' }));
    const lock = await takeLock(folder);
    expect(JSON.parse(await readFile(join(folder, 'run.lock'), 'utf8')).start).not.toBe('1');
    await lock.release();
  },
);

test('an empty lock is respected while it may still be written, and replaced later', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'run.lock');
  await writeFile(path, '');
  await expect(takeLock(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_LOCKED' });
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  await (await takeLock(folder)).release();
});
