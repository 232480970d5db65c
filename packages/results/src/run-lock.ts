/**
 * One writer per run folder: a lock file that names the process holding it. A lock whose process is gone (killed, power lost) is
 * taken over; the start time tells a process from a later one that got the same id.
 */
import { readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { isRunning, processStartTime } from '@topo-bench/host';
import { folderError } from './folder-error.ts';

export const lockFileName = 'run.lock';

/** A lock without content is being written right now, or was when its process died: older than this, it was the latter. */
const writingMs = 5000;

interface Holder {
  pid: number;
  /** What `processStartTime` returns for it; null where the system does not tell. */
  start: string | null;
}

export interface RunLock {
  release(): Promise<void>;
}

/** @throws TopoBenchError `TB_RUN_FOLDER_LOCKED` when a living process holds it */
export async function takeLock(folder: string): Promise<RunLock> {
  const path = join(folder, lockFileName);
  const content = JSON.stringify({
    pid: process.pid,
    start: (await processStartTime(process.pid)) ?? null,
  } satisfies Holder);
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(path, content, { flag: 'wx' });
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        // A full disk creates the file, then fails to fill it.
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
  if (!holder && (await ageMs(path)) < writingMs) throw locked(folder, 'another process is just taking it');
  // Moved aside first: of two processes that both found the lock stale, the second would delete the first one's new lock.
  const aside = `${path}.stale-${process.pid}`;
  try {
    await rename(path, aside);
    const moved = await readFile(aside, 'utf8');
    if (moved !== found) {
      await rename(aside, path);
      throw locked(folder, 'another process has just taken it');
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

/** Undefined for the empty or torn file of a process that died while it took the lock. */
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
