/**
 * Lock file of a run folder, which admits one writer. It contains the id and the start time of its process. A lock
 * whose process has ended is stale and is replaced. The start time detects a reused process id.
 */
import { readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { isRunning, processStartTime } from '@topo-bench/host';
import { folderError } from './folder-error.ts';
import { privateFile } from './make-folder.ts';

export const lockFileName = 'run.lock';

/** Age from which a lock without content is stale. A younger one may still be in the process of being written. */
const writingMs = 5000;

interface Holder {
  pid: number;
  /** Result of `processStartTime`; null when the system does not provide it. */
  start: string | null;
}

export interface RunLock {
  release(): Promise<void>;
}

/** @throws TopoBenchError `TB_RUN_FOLDER_LOCKED` when a running process has the lock */
export async function takeLock(folder: string): Promise<RunLock> {
  const path = join(folder, lockFileName);
  const content = JSON.stringify({
    pid: process.pid,
    start: (await processStartTime(process.pid)) ?? null,
  } satisfies Holder);
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(path, content, { flag: 'wx', mode: privateFile });
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        // On a full disk the file is created before the write fails.
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') await rm(path, { force: true }).catch(() => undefined);
        throw folderError('lock', folder, error);
      }
    }
    await removeIfStale(folder, path);
  }
  throw locked(folder, 'several processes try to take it at the same time');
}

async function removeIfStale(folder: string, path: string): Promise<void> {
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === undefined) return;
  const holder = parseHolder(found);
  if (holder && (await isRunning(holder.pid, holder.start)))
    throw locked(folder, `process ${holder.pid} is writing to it`);
  if (!holder && (await ageMs(path)) < writingMs) throw locked(folder, 'another process is taking the lock');
  // Rename before the removal: two processes may find the same stale lock, and the second must not delete the new lock
  // of the first.
  const aside = `${path}.stale-${process.pid}`;
  try {
    await rename(path, aside);
    const moved = await readFile(aside, 'utf8');
    if (moved !== found) {
      await rename(aside, path);
      throw locked(folder, 'another process has just taken the lock');
    }
    await unlink(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw folderError('lock', folder, error);
  }
}

function locked(folder: string, why: string): TopoBenchError {
  return new TopoBenchError('TB_RUN_FOLDER_LOCKED', `the run folder ${folder} is in use: ${why}`, {
    hint: `wait for it to end; if no such run exists, delete ${join(folder, lockFileName)}`,
  });
}

/** Undefined for an empty or incomplete file, left by a process that ended while it took the lock. */
function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function ageMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}
