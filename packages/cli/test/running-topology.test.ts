import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStartTime } from '@topo-bench/host';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findRunning, forgetRunning, listRunning, recordRunning, temporaryLogs } from '../src/running-topology.ts';

let folder: string;
let topology: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'topo-bench-state-'));
  vi.stubEnv('XDG_STATE_HOME', folder);
  topology = join(folder, 'topology.yaml');
  writeFileSync(topology, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const notes = () => readdirSync(join(folder, 'topo-bench', 'up')).map((name) => join(folder, 'topo-bench', 'up', name));

describe('the note of a running topology', () => {
  it('leads to the process that keeps it running', async () => {
    await recordRunning(topology, 'http://127.0.0.1:1', 'token');
    expect(await findRunning(topology)).toMatchObject({ pid: process.pid, gatewayUrl: 'http://127.0.0.1:1', topology });
    expect(statSync(notes().find((note) => note.endsWith('.json')) as string).mode & 0o077).toBe(0);
    await forgetRunning(topology);
    expect(await findRunning(topology)).toBeUndefined();
  });

  it('is dropped when its process id belongs to a later process', async () => {
    await recordRunning(topology, 'http://127.0.0.1:1', 'token');
    const path = notes().find((note) => note.endsWith('.json')) as string;
    const note = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...note, startTime: 'another' }));
    expect(await findRunning(topology)).toBeUndefined();
    expect(notes()).toEqual([]);
  });

  it('takes the temporary logs of a killed process with it, and no other folder', async () => {
    const logs = await temporaryLogs();
    for (const each of [logs, folder]) {
      await recordRunning(topology, 'http://127.0.0.1:1', 'token', each);
      const path = notes().find((note) => note.endsWith('.json')) as string;
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), startTime: 'another' }));
      await listRunning();
    }
    expect([existsSync(logs), existsSync(folder)]).toEqual([false, true]);
  });

  it.each(['', '{', 'null'])('is dropped when it is torn: %j', async (text) => {
    await recordRunning(topology, 'http://127.0.0.1:1', 'token');
    writeFileSync(notes().find((note) => note.endsWith('.json')) as string, text);
    expect(await findRunning(topology)).toBeUndefined();
  });
});

describe('the list of running topologies', () => {
  it('has each that is kept running, and drops stale notes', async () => {
    expect(await listRunning()).toEqual([]);
    const other = join(folder, 'other.yaml');
    writeFileSync(other, '');
    await recordRunning(topology, 'http://127.0.0.1:1', 'token');
    await recordRunning(other, 'http://127.0.0.1:2', 'token');
    expect((await listRunning()).map((one) => one.topology).sort()).toEqual([other, topology].sort());
    const stale = notes().find((note) => note.endsWith('.json')) as string;
    writeFileSync(stale, '{');
    expect(await listRunning()).toHaveLength(1);
    expect(notes()).not.toContain(stale);
  });
});

describe('the start time of a process', () => {
  it('is the same at every reading, and differs from that of other processes', async () => {
    const own = await processStartTime(process.pid);
    expect(own).toBeDefined();
    expect(await processStartTime(process.pid)).toBe(own);
    expect(await processStartTime(process.ppid)).not.toBe(own);
  });

  it('is unknown of a process that does not run', async () => {
    expect(await processStartTime(2 ** 22 - 1)).toBeUndefined();
  });
});
