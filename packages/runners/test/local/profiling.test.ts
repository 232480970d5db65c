import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { type ProfiledRole, Profiling } from '../../src/local/profiling/profiling.ts';

const folder = temporaryFolder();
writeFileSync(
  join(folder, 'busy.cjs'),
  `function planted() { const end = performance.now() + 5; while (performance.now() < end); }
setInterval(planted, 10);`,
);
const userService = { kind: 'command' } as NonNullable<ProfiledRole['config']['userService']>;
const started: ReturnType<typeof spawn>[] = [];
let profiling: Profiling;
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await profiling.close();
});

function run(role: string): number {
  const env = { ...process.env, ...profiling.environment(role) };
  const child = spawn(process.execPath, ['busy.cjs'], { cwd: folder, env, stdio: 'ignore' });
  started.push(child);
  return child.pid as number;
}

/** Inodes of TCP sockets that a process listens on (proc_net(5): state 0A). */
function listening(pid: number): string[] {
  const open = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n'));
  const inodes = open.map((line) => line.trim().split(/\s+/)).flatMap((row) => (row[3] === '0A' ? [row[9]] : []));
  const own = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return own.filter((link) => inodes.some((inode) => link === `socket:[${inode}]`));
}

it('profiles a program without a port, and names commands that are no Node.js programs', async () => {
  profiling = await Profiling.open();
  const pid = run('pricing');
  const roles: ProfiledRole[] = [
    { config: { name: 'pricing' }, pid },
    { config: { name: 'billing', userService }, pid: run('billing') },
  ];
  const profiler = profiling.profiler(() => roles);
  const profiled = async (forMs: number) => {
    await profiler.start();
    await sleep(forMs);
    return profiler.stop();
  };
  // Both have connected, and V8 has optimized and inlined their functions.
  await vi.waitFor(() => expect(profiling.connections).toBe(2), { timeout: 20_000 });
  await sleep(500);
  const startMs = performance.now();
  const profile = profiled(400);
  if (existsSync(`/proc/${pid}/net/tcp`)) expect(listening(pid)).toEqual([]);
  const { programs, missing } = await profile;
  const elapsedUs = 1e3 * (performance.now() - startMs);
  expect(missing).toEqual([{ role: 'billing', why: 'its command runs no Node.js program with NODE_OPTIONS' }]);
  expect(programs.map(({ role, isRole, script }) => [role, isRole, script]).sort()).toEqual([
    ['billing', true, join(folder, 'busy.cjs')],
    ['pricing', true, join(folder, 'busy.cjs')],
  ]);
  for (const { profile, cpuUs } of programs) {
    const own = profile.nodes.filter(({ callFrame }) => callFrame.functionName === 'planted').map(({ id }) => id);
    expect(profile.samples.filter((id) => own.includes(id)).length).toBeGreaterThan(0);
    // Samples from before the start of the profile are dropped.
    expect(profile.timeDeltas.slice(1).reduce((sum, us) => sum + us, 0)).toBeLessThan(elapsedUs + 50_000);
    if (existsSync('/proc/thread-self/schedstat')) expect(cpuUs).toBeGreaterThan(0);
  }
});

it('leaves nothing behind, and a program that has ended is named', async () => {
  profiling = await Profiling.open();
  const socket = profiling.environment('pricing').TOPO_BENCH_PROFILE_SOCKET as string;
  const pid = run('pricing');
  const profiler = profiling.profiler(() => [{ config: { name: 'pricing' }, pid }]);
  await vi.waitFor(() => expect(profiling.connections).toBe(1), { timeout: 20_000 });
  await profiler.start();
  process.kill(pid, 'SIGKILL');
  expect(await profiler.stop()).toEqual({
    programs: [],
    missing: [{ role: 'pricing', why: 'its role gave no profile' }],
  });
  await profiling.close();
  expect(existsSync(dirname(socket))).toBe(false);
});
