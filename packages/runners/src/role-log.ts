/**
 * Logs of roles: one file each, quoted in errors. Only their owner can read them: what a user-supplied program prints
 * may be secret.
 */
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { isSystemRefusal, moreResources } from './system-refusal.ts';

export interface RoleLog {
  path: string;
  /** Descriptor to inherit; close it once the process has it. */
  descriptor: number;
  /** Size when this role began. Earlier text belongs to another deployment. */
  startBytes: number;
}

const maxLines = 10;
const maxBytes = 4096;

/** @throws TopoBenchError `TB_FILE_NOT_WRITABLE`, `TB_RUNNER_NO_RESOURCES` */
export function openLog(logsDir: string, role: string): RoleLog {
  const path = join(logsDir, `${role}.log`);
  try {
    mkdirSync(logsDir, { recursive: true, mode: 0o700 });
    const descriptor = openSync(path, 'a', 0o600);
    return { path, descriptor, startBytes: fstatSync(descriptor).size };
  } catch (error) {
    throw cannotLog(path, error as NodeJS.ErrnoException);
  }
}

/** Appends text that the role printed elsewhere. A log that cannot grow, on a full disk, does not end a run. */
export function addToLog({ path }: RoleLog, text: string): void {
  try {
    appendFileSync(path, text);
  } catch {}
}

/** The last lines that the role wrote, oldest first; at most ten, and none when the file is gone. */
export function lastLines({ path, startBytes }: RoleLog): string[] {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(descriptor);
    const from = Math.max(startBytes, size - maxBytes);
    const bytes = Buffer.alloc(Math.max(0, size - from));
    readSync(descriptor, bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8').split('\n').filter(Boolean);
    return lines.slice(-maxLines);
  } finally {
    closeSync(descriptor);
  }
}

function cannotLog(path: string, cause: NodeJS.ErrnoException): TopoBenchError {
  const message = `cannot write ${path}: ${cause.message}`;
  if (isSystemRefusal(cause))
    return new TopoBenchError('TB_RUNNER_NO_RESOURCES', message, { hint: moreResources, cause });
  return new TopoBenchError('TB_FILE_NOT_WRITABLE', message, { hint: 'choose a folder that you may write to', cause });
}

/** Lines as the end of an error message; empty without lines. */
export function quoted(lines: readonly string[]): string {
  return lines.map((line) => `\n  | ${line}`).join('');
}
