import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const path = (file: string) => fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-orphans-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Running, that is: in the table of processes, and not only because its exit has not been collected yet. */
async function runs(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return status !== undefined && !/\) [ZX] /.test(status);
}

test.skipIf(!existsSync('/proc/self/stat')).each(['is-idle', 'burns', 'is-frozen'])(
  'no role outlives a parent that is killed while it %s',
  async (fixture) => {
    const args = ['--import', tsx, path('parent.mjs'), path('role-entry.mjs'), folder, fixture];
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pids = JSON.parse(line as string) as number[];
    expect(pids).toHaveLength(5);
    expect(await Promise.all(pids.map(runs))).toEqual([true, true, true, true, true]);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await vi.waitFor(async () => expect((await Promise.all(pids.map(runs))).some(Boolean)).toBe(false), {
      timeout: 15_000,
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'a system without descriptors left is named as such, and nothing is left running',
  async () => {
    const command = `ulimit -n 150; exec '${process.execPath}' --import '${tsx}' "$@"`;
    const args = ['-c', command, 'sh', path('limited-parent.mjs'), path('role-entry.mjs'), folder];
    const parent = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    expect(JSON.parse(line as string)).toMatchObject({
      code: 'TB_RUNNER_NO_RESOURCES',
      exitCode: 3,
      message: expect.stringMatching(/EMFILE/),
      hint: expect.stringMatching(/ulimit -n/),
    });
    // It ends by itself: no child holds it open.
    expect(await once(parent, 'exit')).toEqual([0, null]);
  },
);
