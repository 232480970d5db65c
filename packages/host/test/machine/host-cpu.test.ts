import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { type HostCpu, hostCpuOf, hostResources, hostUse, readHostCpu } from '../../src/machine/host-cpu.ts';
import { kernelUnits } from '../../src/process/kernel-units.ts';
import { hasTaskset, usableCoreNumbers } from '../fixtures/cores.ts';

describe('idle time of the host', () => {
  it('is the idle share of the time between two readings', () => {
    expect(hostUse({ idle: 100, total: 1000 }, { idle: 130, total: 1100 })).toEqual({ idlePercent: 30 });
    expect(hostUse({ idle: 100, total: 1000 }, { idle: 100, total: 1100 })).toEqual({ idlePercent: 0 });
  });

  it('is unknown, not 0, without two different readings', () => {
    expect(hostUse(undefined, { idle: 1, total: 2 })).toBeUndefined();
    expect(hostUse({ idle: 1, total: 2 }, undefined)).toBeUndefined();
    expect(hostUse({ idle: 1, total: 2 }, { idle: 1, total: 2 })).toBeUndefined();
    expect(hostResources(undefined)).toEqual({});
  });

  it('falls when a core is kept busy', () => {
    const before = readHostCpu();
    const end = performance.now() + 300;
    while (performance.now() < end);
    const idle = hostUse(before, readHostCpu())?.idlePercent;
    expect(idle).toBeGreaterThanOrEqual(0);
    expect(idle).toBeLessThan(100);
  });
});

describe('stolen time of the host', () => {
  it('is neither idle nor used', () => {
    const use = hostUse({ idle: 100, total: 1000, stolen: 5 }, { idle: 130, total: 1100, stolen: 15 });
    expect(use).toEqual({ idlePercent: 30, stolenPercent: 10 });
    expect(hostResources(use)).toEqual({ host: { idlePercent: 30, stolenPercent: 10, cpuPercent: 60 } });
  });

  it.runIf(process.platform === 'linux')('is the eighth figure of /proc/stat', () => {
    const before = Number(readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/)[8]);
    const { stolen: stolenUs } = readHostCpu() ?? {};
    const stolen = ((stolenUs as number) * kernelUnits().ticksPerSecond) / 1e6;
    const after = Number(readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/)[8]);
    expect(stolen).toBeGreaterThanOrEqual(before);
    expect(stolen).toBeLessThanOrEqual(after);
  });
});

describe('foreign time of the host', () => {
  const before = { idle: 0, total: 0, stolen: 0, programs: 0 };
  const after = { idle: 100, total: 1000, stolen: 0, programs: 800 };

  it('is the time of programs less that of our own processes', () => {
    expect(hostUse(before, after, 200)).toEqual({ idlePercent: 10, stolenPercent: 0, foreignPercent: 60 });
    expect(hostUse(before, after, 900)?.foreignPercent).toBe(0);
  });

  it('is unknown when the caller does not distinguish them', () => {
    expect(hostUse(before, after)).not.toHaveProperty('foreignPercent');
    expect(hostUse({ idle: 0, total: 0 }, { idle: 100, total: 1000 }, 200)).toEqual({ idlePercent: 10 });
  });
});

describe('cores that this process may use', () => {
  const usPerTick = 1e6 / kernelUnits().ticksPerSecond;
  /** Four cores in ticks; those of `busy` are not idle. The others had foreign and stolen time before. */
  const stat = (ticks: number, busy: readonly number[]): string => {
    const cores = [0, 1, 2, 3].map(
      (core) => [busy.includes(core) ? ticks : 7, busy.includes(core) ? 0 : ticks] as const,
    );
    const line = (name: string, used: number, idle: number): string => `${name} ${used} 0 0 ${idle} 0 0 0 0 0 0`;
    const sum = (at: 0 | 1): number => cores.reduce((total, core) => total + core[at], 0);
    return [
      line('cpu ', sum(0), sum(1)),
      ...cores.map(([used, idle], i) => line(`cpu${i}`, used, idle)),
      'intr 1 2',
      '',
    ].join('\n');
  };
  const use = (allowed: string | undefined, usable: number, busy: readonly number[]) =>
    hostUse(hostCpuOf(stat(0, busy), { allowed, usable }), hostCpuOf(stat(1000, busy), { allowed, usable }), 0);

  it('are the only ones that count', () => {
    expect(use(undefined, 4, [2])).toEqual({ idlePercent: 75, stolenPercent: 0, foreignPercent: 25 });
    expect(use('0-3', 4, [2])?.idlePercent).toBe(75);
    expect(use('2', 1, [2])).toEqual({ idlePercent: 0, stolenPercent: 0, foreignPercent: 100 });
    expect(use('1-2', 2, [2])?.idlePercent).toBe(50);
    expect(use('0,3', 2, [2])?.idlePercent).toBe(100);
    // Allowed and not present.
    expect(use('0-127', 4, [2])?.idlePercent).toBe(75);
  });

  it('are all cores where the two files count cores differently', () => {
    expect(use('6-7', 2, [2])?.idlePercent).toBe(75);
    expect(use('3-4', 2, [2])?.idlePercent).toBe(75);
  });

  it('have their times next to those of the machine', () => {
    const { machine, ...own } = hostCpuOf(stat(1000, [2]), { allowed: '2', usable: 1 });
    expect(own).toEqual({ idle: 0, total: 1000 * usPerTick, stolen: 0, programs: 1000 * usPerTick, cores: '2' });
    expect(machine).toEqual(hostCpuOf(stat(1000, [2]), { allowed: '0-3', usable: 4 }));
    expect(machine).not.toHaveProperty('machine');
  });

  it('are unknown when they changed between two readings', () => {
    const [before, after] = ['1', '2'].map((allowed, i) => hostCpuOf(stat(1000 * i, []), { allowed, usable: 1 }));
    expect(hostUse(before, after)).toBeUndefined();
  });

  it('are idle no longer than a limit on CPU time allows', () => {
    const at = (ticks: number, usedTicks: number): HostCpu =>
      hostCpuOf(stat(ticks, [2]), { allowed: '0-3', usable: 4, limit: { cpus: 1.5, usedUs: usedTicks * usPerTick } });
    expect(hostUse(at(0, 300), at(1000, 1800))?.idlePercent).toBe(0);
    expect(hostUse(at(0, 300), at(1000, 1500))?.idlePercent).toBeCloseTo(20);
    // Three cores are idle, and the group has used nothing.
    expect(hostUse(at(0, 300), at(1000, 300))?.idlePercent).toBe(75);
    expect(at(0, 300).machine).not.toHaveProperty('limit');
  });

  let child: ReturnType<typeof spawn> | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  it.skipIf(!hasTaskset || cpus().length < 2)('are busy under taskset while others are idle', async () => {
    const module = JSON.stringify(new URL('../../src/machine/host-cpu.ts', import.meta.url).href);
    const source = `
      import { hostUse, readHostCpu } from ${module};
      const before = readHostCpu();
      for (const end = performance.now() + 500; performance.now() < end; );
      const after = readHostCpu();
      const { machine, cores } = after;
      console.log(JSON.stringify({ cores, own: hostUse(before, after), all: hostUse(before.machine, machine) }));`;
    const [core] = usableCoreNumbers();
    const args = ['-c', String(core), process.execPath, '--import', 'tsx', '--input-type=module', '-e', source];
    child = spawn('taskset', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const { cores, own, all } = JSON.parse(String(text));
    expect(cores).toBe(String(core));
    // Other programs may have used it, but nothing left it idle for long: a tick at each end.
    expect(own.idlePercent).toBeLessThan(10);
    expect(all.idlePercent).toBeGreaterThanOrEqual(own.idlePercent / cpus().length - 1);
  });
});
