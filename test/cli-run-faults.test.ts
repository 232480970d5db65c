import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '@topo-bench/core';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { endedByHostAlone } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { allGone, canSeeProcesses, childrenOf } from './fixtures/processes.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
const { 'experiment.yaml': experiment } = writeSmallFiles(folder, (name, text) =>
  name === 'experiment.yaml' ? text.replace('repetitions: 1', 'repetitions: 2') : text,
);
const keys = (cells: readonly { factors: object; repetition: number }[]) =>
  cells.map(({ factors, repetition }) => JSON.stringify([factors, repetition])).toSorted();

describe.skipIf(!canSeeProcesses)('a run that is cut off', () => {
  it('by SIGKILL leaves no process behind, loses nothing finished and resumes to the same result set', async () => {
    const run = startTopoBench(['run', experiment, '--out', 'killed'], { cwd: folder });
    await run.saw('[1/4]');
    await sleep(300);
    const children = childrenOf(run.pid).map(({ pid }) => pid);
    run.process.kill('SIGKILL');
    await run.ended;
    await allGone(children);
    const before = await openRun(join(folder, 'killed'));
    expect(before.record.status).toBe('running');
    expect(before.cells.length).toBeGreaterThan(0);

    const resumed = await topoBench(['run', '--resume', 'killed', '--json'], { cwd: folder });
    const after = await openRun(join(folder, 'killed'));
    expect(resumed.stderr).toContain(
      `${counted(4 - before.cells.length, 'repetition')} to measure, ${before.cells.length} finished before`,
    );
    expect(after.record.status).toBe('finished');
    // Cells that come later can lower the one lag limit of all: validity is judged anew, and nothing else changes.
    const withoutValidity = (cells: typeof before.cells) => cells.map(({ validity, ...cell }) => cell);
    expect(withoutValidity(after.cells.slice(0, before.cells.length))).toEqual(withoutValidity(before.cells));
    expect(keys(after.cells)).toEqual(
      [1, 2]
        .flatMap((repetition) => after.record.plannedCells.map((factors) => JSON.stringify([factors, repetition])))
        .toSorted(),
    );
  });

  it('by Ctrl-C tears down, keeps what is finished, exits with 130 and prints how to resume', async () => {
    const run = startTopoBench(['run', experiment, '--out', 'interrupted'], { cwd: folder });
    await run.saw('[1/4]');
    await sleep(300);
    const children = childrenOf(run.pid).map(({ pid }) => pid);
    run.process.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('TB_INTERRUPTED');
    expect(stderr).toContain('topo-bench run --resume interrupted');
    await allGone(children);
    const { record, cells } = await openRun(join(folder, 'interrupted'));
    expect(record.status).toBe('interrupted');
    expect(cells.length).toBeGreaterThan(0);
  });
});

describe.skipIf(!canSeeProcesses)('a service that is killed during a run', () => {
  it('makes its repetition invalid with its name, and the next cells follow', async () => {
    const args = [
      'run',
      experiment,
      '--set',
      'repetitions=1',
      '--set',
      'duration=3s',
      '--out',
      'service-killed',
      '--json',
    ];
    const run = startTopoBench(args, { cwd: folder });
    const child = async (part: string): Promise<number> => {
      for (;;) {
        const found = childrenOf(run.pid).find(({ commandLine }) => commandLine.includes(part));
        if (found) return found.pid;
        await sleep(20);
      }
    };
    // The generator starts once everything is deployed; its load begins soon after and lasts three seconds.
    await child('load-worker');
    const victim = await child('service.cjs service fastify scoring');
    await sleep(1500);
    process.kill(victim, 'SIGKILL');
    const { code, stdout } = await run.ended;
    const { cells } = JSON.parse(stdout) as { cells: { validity: { valid: boolean; reasons: string[] } }[] };
    expect(code).toBe(5);
    expect(cells).toHaveLength(2);
    expect(cells[0]?.validity).toMatchObject({
      valid: false,
      reasons: expect.arrayContaining([expect.stringMatching(/scoring was ended by SIGKILL/)]),
    });
    expect(cells[1]?.validity.reasons.join()).not.toContain('SIGKILL');
  });
});

const isRoot = process.getuid?.() === 0;

describe('a disk that is full', () => {
  /** Mounts a disk of that size for the work; null when this machine does not let us. */
  async function onDisk<T>(size: string, work: (disk: string) => Promise<T>): Promise<T | null> {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).status !== 0) return null;
    try {
      return await work(disk);
    } finally {
      spawnSync('umount', ['-l', disk]);
    }
  }

  it.skipIf(!isRoot)(
    'ends the run with its code, keeps what is finished, and the run resumes when there is room (needs root to mount)',
    async (context) => {
      const done = await onDisk('192k', async (disk) => {
        const run = startTopoBench(
          ['run', experiment, '--only', 'architecture=sidecar', '--repetitions', '3', '--out', 'disk/run'],
          { cwd: folder },
        );
        await run.saw('[1/3]');
        spawnSync('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=1k', 'count=1024']);
        const { code, stderr } = await run.ended;
        expect(stderr).toContain('error TB_RUN_FOLDER_DISK_FULL');
        expect(stderr).toContain('--resume');
        expect(code).toBe(3);
        const { cells } = await openRun(join(disk, 'run'));
        expect(cells.length).toBeGreaterThan(0);
        spawnSync('rm', [`${disk}/filler`]);
        spawnSync('mount', ['-o', 'remount,size=4m', disk]);
        const resumed = await topoBench(['run', '--resume', 'disk/run'], { cwd: folder });
        const measured = await openRun(join(disk, 'run'));
        expect(measured.cells).toHaveLength(3);
        endedByHostAlone(resumed, measured.cells);
        // A page that finds no room: the run is complete, so a resume is no way out.
        rmSync(join(disk, 'run/report.html'), { force: true });
        spawnSync('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=1k', 'count=8192']);
        const page = await callTopoBench(['report', 'disk/run'], { cwd: folder });
        expect(page.code).toBe(3);
        expect(page.stderr).toContain('error TB_RUN_FOLDER_DISK_FULL');
        expect(page.stderr).toContain('the results are kept; free some space, then write the page with');
        expect(page.stderr).toContain('`topo-bench report disk/run`');
        expect(page.stderr).not.toContain('--resume');
        return true;
      });
      context.skip(done === null, 'this machine lets nobody mount a disk');
    },
  );
});
