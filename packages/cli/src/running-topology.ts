/**
 * Records the process that `up` started for a topology, in a small file in the user's state folder. `down` reads it.
 * Process ids are reused: the record includes the start time of the process.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { basename, dirname, join } from 'node:path';
import { headers } from '@topo-bench/core';
import { processStartTime } from '@topo-bench/host';

const logsPrefix = 'topo-bench-up-';

export interface RunningTopology {
  /** Absolute path of the topology file. */
  topology: string;
  pid: number;
  /** In the format of `processStartTime`. */
  startTime: string;
  gatewayUrl: string;
  /** Temporary folder of its logs, removed with the record when the process was killed. */
  temporaryLogs?: string;
}

/** Private files with the token of the run. They keep the token out of the command lines of clients. */
export interface ClientFiles {
  /** The token alone, for programs and as the password over Flight. */
  tokenFile: string;
  /** As a header line, for `curl -H @FILE`. */
  headersFile: string;
}

/** A new temporary folder for logs. */
export function temporaryLogs(): Promise<string> {
  return mkdtemp(join(os.tmpdir(), logsPrefix));
}

/**
 * Records that this process keeps the topology running.
 * @param logs its folder from `temporaryLogs`, if it has one
 */
export async function recordRunning(
  topology: string,
  gatewayUrl: string,
  clientToken: string,
  logs?: string,
): Promise<ClientFiles> {
  const path = await stateFile(topology);
  const startTime = (await processStartTime(process.pid)) ?? '';
  const entry: RunningTopology = {
    topology: await realpath(topology),
    pid: process.pid,
    startTime,
    gatewayUrl,
    ...(logs !== undefined && { temporaryLogs: logs }),
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, JSON.stringify(entry), { mode: 0o600 });
  const files = clientFiles(path);
  await writeFile(files.tokenFile, clientToken, { mode: 0o600 });
  await writeFile(files.headersFile, `${headers.token}: ${clientToken}\n`, { mode: 0o600 });
  return files;
}

/** The process that keeps this topology running; undefined when there is none. Removes a stale record. */
export async function findRunning(topology: string): Promise<RunningTopology | undefined> {
  return entryOf(await stateFile(topology));
}

/** Every topology that `up` of this user keeps running. Removes stale records. */
export async function listRunning(): Promise<RunningTopology[]> {
  const names = await readdir(stateFolder()).catch(() => []);
  const paths = names.filter((name) => name.endsWith('.json')).map((name) => join(stateFolder(), name));
  return (await Promise.all(paths.map(entryOf))).flatMap((entry) => entry ?? []);
}

/** Undefined for a stale record, which is removed. */
async function entryOf(path: string): Promise<RunningTopology | undefined> {
  const entry = parse(await readFile(path, 'utf8').catch(() => ''));
  if (entry && (await processStartTime(entry.pid)) === entry.startTime) return entry;
  await remove(path);
  const logs = entry?.temporaryLogs;
  // Only a folder that `temporaryLogs` made: the record is a file that others may have written.
  if (logs !== undefined && dirname(logs) === os.tmpdir() && basename(logs).startsWith(logsPrefix)) {
    await rm(logs, { recursive: true, force: true });
  }
  return undefined;
}

export async function forgetRunning(topology: string): Promise<void> {
  await remove(await stateFile(topology));
}

async function remove(path: string): Promise<void> {
  const { tokenFile, headersFile } = clientFiles(path);
  for (const file of [path, tokenFile, headersFile]) await rm(file, { force: true });
}

function clientFiles(path: string): ClientFiles {
  const stem = path.slice(0, -'.json'.length);
  return { tokenFile: `${stem}.token`, headersFile: `${stem}.headers` };
}

/** Undefined for a torn record of a process that died while writing. */
function parse(text: string): RunningTopology | undefined {
  try {
    return (JSON.parse(text) as RunningTopology | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** `$XDG_STATE_HOME/topo-bench/up/<hash>.json`, by the real path of the topology file. */
async function stateFile(topology: string): Promise<string> {
  const key = createHash('sha256')
    .update(await realpath(topology))
    .digest('hex')
    .slice(0, 16);
  return join(stateFolder(), `${key}.json`);
}

function stateFolder(): string {
  const home = process.env.XDG_STATE_HOME || join(os.homedir(), '.local', 'state');
  return join(home, 'topo-bench', 'up');
}
