/**
 * Records the process that `up` started for a topology, in a small file in the user's state folder. `down` reads it.
 * Process ids are reused: the record includes the start time of the process.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { headers } from '@topo-bench/core';
import { processStartTime } from '@topo-bench/host';

export interface RunningTopology {
  /** Absolute path of the topology file. */
  topology: string;
  pid: number;
  /** In the format of `processStartTime`. */
  startTime: string;
  gatewayUrl: string;
}

/** Private files with the token of the run. They keep the token out of the command lines of clients. */
export interface ClientFiles {
  /** The token alone, for programs and as the password over Flight. */
  tokenFile: string;
  /** As a header line, for `curl -H @FILE`. */
  headersFile: string;
}

/** Records that this process keeps the topology running. */
export async function recordRunning(topology: string, gatewayUrl: string, clientToken: string): Promise<ClientFiles> {
  const path = await stateFile(topology);
  const startTime = (await processStartTime(process.pid)) ?? '';
  const entry: RunningTopology = { topology: await realpath(topology), pid: process.pid, startTime, gatewayUrl };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, JSON.stringify(entry), { mode: 0o600 });
  const files = clientFiles(path);
  await writeFile(files.tokenFile, clientToken, { mode: 0o600 });
  await writeFile(files.headersFile, `${headers.token}: ${clientToken}\n`, { mode: 0o600 });
  return files;
}

/** The process that keeps this topology running; undefined when there is none. Removes a stale record. */
export async function findRunning(topology: string): Promise<RunningTopology | undefined> {
  const path = await stateFile(topology);
  const entry = parse(await readFile(path, 'utf8').catch(() => ''));
  if (entry && (await processStartTime(entry.pid)) === entry.startTime) return entry;
  await remove(path);
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
  const home = process.env.XDG_STATE_HOME || join(os.homedir(), '.local', 'state');
  const key = createHash('sha256')
    .update(await realpath(topology))
    .digest('hex')
    .slice(0, 16);
  return join(home, 'topo-bench', 'up', `${key}.json`);
}
