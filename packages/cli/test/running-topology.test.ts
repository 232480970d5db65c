import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStartTime } from '@topo-bench/host';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findRunning, forgetRunning, recordRunning } from '../src/running-topology.ts';

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

  it.each(['', '{', 'null'])('is dropped when it is torn: %j', async (text) => {
    await recordRunning(topology, 'http://127.0.0.1:1', 'token');
    writeFileSync(notes().find((note) => note.endsWith('.json')) as string, text);
    expect(await findRunning(topology)).toBeUndefined();
  });
});

describe('the start time of a process', () => {
  it('is the same every time it is asked, and that of no other', async () => {
    const own = await processStartTime(process.pid);
    expect(own).toBeDefined();
    expect(await processStartTime(process.pid)).toBe(own);
    expect(await processStartTime(process.ppid)).not.toBe(own);
  });

  it('is unknown of a process that does not run', async () => {
    expect(await processStartTime(2 ** 22 - 1)).toBeUndefined();
  });
});
