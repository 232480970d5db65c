import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyEntry } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { allGone, canSeeProcesses, childrenOf } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const python = process.env.TOPO_BENCH_PYTHON ?? 'python3';

/** In CI nothing may be missing. */
function missingPyarrow(): string | undefined {
  if (process.env.CI === 'true') return undefined;
  try {
    execFileSync(python, ['-c', 'import pyarrow.flight'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return `${python} has no pyarrow.flight; set TOPO_BENCH_PYTHON to one that has`;
  }
}

const missing = missingPyarrow();
const folder = temporaryFolder();

/** Every type, with nulls, and a last batch that is shorter. Long enough for CPU time in ticks of 10 ms. */
const topology = `apiVersion: topo-bench/v1
kind: Topology
name: bulk
services:
  - name: table
    arrow:
      flight: {}
      columns:
        - { name: id, type: int64 }
        - { name: units, type: int32, nulls: 0.1 }
        - { name: amount, type: float64 }
        - { name: share, type: float64, nulls: 0.5 }
        - { name: paid, type: bool }
        - { name: at, type: timestamp, nulls: 0.2 }
        - { name: region, type: text, values: [eu, "Zürich \\"1\\"", us], category: personal }
        - { name: note, type: text, size: 20B, nulls: 0.3 }
        - { name: consents, type: texts, values: [mail, phone] }
`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: bulk
topology: bulk.yaml
repetitions: 1
load: { driver: flight }
flight: { streams: 2, rows: 205500, batchRows: 1000 }
warmup: { window: 20ms, change: 90%, max: 300ms }
`;
writeFileSync(join(folder, 'bulk.yaml'), topology);

function experimentFile(name: string, factors: string): string {
  const file = join(folder, name);
  writeFileSync(file, `${experiment}factors: ${factors}\n`);
  return file;
}

/** Temporary folder of the runs that end early: other tests run at the same time. */
const temporary = join(folder, 'temporary');
mkdirSync(temporary);
const tableFolders = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('topo-bench-flight-'));

describe.skipIf(missing)(`run, with the Flight server of pyarrow ${missing ?? ''}`, () => {
  it('moves the same rows as ours in every direction, checks them, and names the servers', async () => {
    const file = experimentFile('servers.yaml', '{ server: [topo-bench, pyarrow], operation: [get, put, exchange] }');
    const { code, stdout, stderr } = await topoBench(['run', file, '--out', 'servers', '--json'], { cwd: folder });
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells).toHaveLength(6);
    for (const { factors, flight, decisions, resources, validity } of cells) {
      expect(validity, JSON.stringify(factors)).toMatchObject({ valid: true, reasons: [] });
      expect(flight).toMatchObject({ rows: 411_000, checked: { wrong: 0 }, access: { login: false, tls: 'none' } });
      expect(flight?.checked.values).toBeGreaterThan(1000);
      expect(flight?.governed).toBeUndefined();
      expect(decisions.wrong).toBe(0);
      const name = factors.server;
      const version = name === 'pyarrow' ? { version: expect.stringMatching(/^\d+\./) } : {};
      expect(flight?.server).toEqual({ name, ...version });
      expect(resources.service?.rssBytes).toBeGreaterThan(1e6);
      expect(resources.service?.cpuPercent).toBeGreaterThan(0);
    }
    const bytes = cells.map(({ flight }) => flight?.bytes as number);
    expect(Math.max(...bytes) / Math.min(...bytes)).toBeLessThan(1.05);
    expect(stderr).toContain('server pyarrow');
    expect(readFileSync(join(folder, 'servers/report.html'), 'utf8')).toMatch(
      /Flight servers: topo-bench, pyarrow \d+\./,
    );
  });

  it.skipIf(!canSeeProcesses)('marks a repetition in which that server dies, and leaves nothing behind', async () => {
    const { run, pid, children } = await startedLarge('died');
    process.kill(pid, 'SIGKILL');
    const { code, stdout, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    await allGone(children);
    const [cell] = JSON.parse(stdout).cells as AnyEntry[];
    expect(cell?.validity.valid).toBe(false);
    expect(cell?.validity.reasons.join('; ')).toContain('the Flight server of pyarrow was ended by SIGKILL');
    expect(tableFolders()).toEqual([]);
  });

  it.skipIf(!canSeeProcesses).each(['SIGINT', 'SIGKILL'] as const)('leaves nothing behind after %s', async (signal) => {
    const { run, children } = await startedLarge(signal);
    run.process.kill(signal);
    const { code } = await run.ended;
    expect(code).toBe(signal === 'SIGINT' ? 130 : null);
    await allGone(children);
    expect(tableFolders()).toEqual([]);
  });
});

/** Resolves in the middle of a transfer of gigabytes. */
async function startedLarge(out: string) {
  const file = experimentFile('large.yaml', '{ server: [pyarrow] }');
  const large = ['--set', 'flight.rows=200000000', '--set', 'flight.batchRows=100000', '--set', 'warmup.max=0s'];
  const run = startTopoBench(['run', file, ...large, '--out', out, '--json'], {
    cwd: folder,
    env: { TMPDIR: temporary },
  });
  for (;;) {
    await sleep(20);
    const children = childrenOf(run.pid);
    const server = children.find(({ commandLine }) => commandLine.includes('pyarrow_server.py'));
    const generator = children.find(({ commandLine }) => commandLine.includes('load-worker'));
    if (server && generator) {
      await sleep(1500);
      return { run, pid: server.pid, children: childrenOf(run.pid).map(({ pid }) => pid) };
    }
  }
}

describe('run, where no Python has pyarrow', () => {
  it('ends with 3 and the way out, and doctor names it too', async () => {
    const env = { TOPO_BENCH_PYTHON: '/nowhere/python3' };
    const file = experimentFile('servers.yaml', '{ server: [topo-bench, pyarrow] }');
    const { code, stderr } = await topoBench(['run', file, '--out', 'none'], { cwd: folder, env });
    expect(code).toBe(3);
    expect(stderr).toContain('TB_FLIGHT_NO_SERVER');
    expect(stderr).toContain('/nowhere/python3');
    expect(stderr).toContain('pip install pyarrow');
    const { stdout } = await topoBench(['doctor', '--json'], { env });
    expect(JSON.parse(stdout).checks).toContainEqual(
      expect.objectContaining({
        name: 'pyarrow',
        status: 'optional',
        remedy: expect.stringContaining('pip install pyarrow'),
      }),
    );
  });
});
