import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it, vi } from 'vitest';
import { openRun } from './fixtures/open-run.ts';
import { allGone, canSeeProcesses, childrenOf } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { type Running, startTopoBench, topoBench, unbroken } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const folder = temporaryFolder();
const topology = `apiVersion: topo-bench/v1
kind: Topology
name: bulk
services: [{ name: warehouse, arrow: { flight: {} } }]
`;
/**
 * Gigabytes from one service, so that a fault finds it in the middle; then a few rows, by which it shows that the run
 * continues.
 */
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: bulk
topology: bulk.yaml
factors: { rows: [50, 200000000] }
repetitions: 1
load: { driver: flight }
flight: { operation: get }
warmup: { max: 0s }
`;
writeFileSync(join(folder, 'bulk.yaml'), topology);
writeFileSync(join(folder, 'experiment.yaml'), experiment);

const clockTickMs = 10;
/** Processor time that a process has used; undefined when it is gone. */
function usedMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * clockTickMs;
  } catch {
    return undefined;
  }
}

interface Transfer {
  service: number;
  generator: number;
  /** All processes that the run has started for it. */
  children: number[];
}

/**
 * Resolves in the middle of the large transfer. By processor time: a clock is no measure on a busy machine, and
 * starting or a few rows take less.
 */
async function inMidTransfer(run: Running): Promise<Transfer> {
  let seen: (Transfer & { usedMs: number }) | undefined;
  for (;;) {
    await sleep(10);
    const children = childrenOf(run.pid);
    const pidOf = (part: string): number | undefined =>
      children.find(({ commandLine }) => commandLine.includes(part))?.pid;
    const [service, generator] = [pidOf('warehouse'), pidOf('load-worker')];
    const used = service === undefined ? undefined : usedMs(service);
    if (service === undefined || generator === undefined || used === undefined) continue;
    if (seen?.generator !== generator)
      seen = { service, generator, children: children.map(({ pid }) => pid), usedMs: used };
    if (used - seen.usedMs > 500) return seen;
  }
}

async function started(operation: string, out: string): Promise<{ run: Running; transfer: Transfer }> {
  const run = startTopoBench(['run', 'experiment.yaml', '--set', `operation=${operation}`, '--out', out, '--json'], {
    cwd: folder,
  });
  const failed = run.ended.then(({ code, stderr }) => Promise.reject(new Error(`ended with ${code}:\n${stderr}`)));
  return { run, transfer: await Promise.race([inMidTransfer(run), failed]) };
}

const few = 50;
const isLarge = ({ factors: { rows } }: Cell): boolean => rows !== few;

function byRows(stdout: string): { small: Cell | undefined; large: Cell | undefined } {
  const { cells } = JSON.parse(stdout) as { cells: Cell[] };
  expect(cells).toHaveLength(2);
  return { small: cells.find((cell) => !isLarge(cell)), large: cells.find(isLarge) };
}

describe.skipIf(!canSeeProcesses)('a bulk transfer that is cut off in the middle', () => {
  it.each(['get', 'put'])(
    'by the death of the service (%s) is invalid and names it; the rest follows, and nothing is left',
    async (operation) => {
      const { run, transfer } = await started(operation, `service-${operation}`);
      process.kill(transfer.service, 'SIGKILL');
      const { code, stdout, stderr } = await run.ended;
      expect(code, stderr).toBe(5);
      await allGone(transfer.children);
      const { small, large } = byRows(stdout);
      expect(small?.validity.valid).toBe(true);
      expect(large?.validity.valid).toBe(false);
      expect(large?.validity.reasons.join('; ')).toMatch(/warehouse was ended by SIGKILL/);
      expect(unbroken(stderr)).toMatch(/INVALID: .*warehouse was ended by SIGKILL/);
      const again = await topoBench(['run', '--resume', `service-${operation}`, '--json'], { cwd: folder });
      expect(JSON.parse(again.stdout).cells).toEqual(JSON.parse(stdout).cells);
    },
  );

  it('by the death of the generator is invalid with that reason; the rest follows, and nothing is left', async () => {
    const { run, transfer } = await started('get', 'generator');
    process.kill(transfer.generator, 'SIGKILL');
    const { code, stdout, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    await allGone(transfer.children);
    const { small, large } = byRows(stdout);
    expect(small?.validity.valid).toBe(true);
    expect(large?.validity).toMatchObject({
      valid: false,
      reasons: [expect.stringMatching(/load generator process 0 ended: SIGKILL \(TB_LOAD_GENERATOR_DIED\)/)],
    });
  });

  it('by Ctrl-C is not kept, tears down at once, exits with 130, and is measured when the run resumes', async () => {
    const { run, transfer } = await started('get', 'interrupted');
    run.process.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toContain('topo-bench run --resume interrupted');
    await allGone(transfer.children);
    const { record, cells } = await openRun(join(folder, 'interrupted'));
    expect(record.status).toBe('interrupted');
    expect(cells.some(isLarge)).toBe(false);
    const resumed = await topoBench(['run', '--resume', 'interrupted', '--json'], { cwd: folder });
    expect(resumed.code, resumed.stderr).toBe(0);
    const all = (JSON.parse(resumed.stdout) as { cells: Cell[] }).cells;
    expect(all.slice(0, cells.length)).toEqual(cells);
    expect(all.map(isLarge).toSorted()).toEqual([false, true]);
    expect(all.every(({ validity }) => validity.valid)).toBe(true);
  });
});
