/** Servers that exit as soon as they start, while this process is too busy to notice their start before their end. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { engines } from '../../src/engines.ts';
import { Guard } from '../../src/servers/guarded-process.ts';
import { launch } from '../../src/servers/launch.ts';
import type { Recipe } from '../../src/servers/recipe.ts';

const { findServer } = await engines.postgresql.server();
const found = await findServer();
const recipe = found?.recipe() as Recipe;

/** The given starts run a program that exits at once; its start and its end arrive in one piece. */
function failing(...starts: number[]): Recipe & { starts: number } {
  const changed = {
    ...recipe,
    // A launch reads the arguments once before the first start.
    starts: -1,
    serve(place: Parameters<Recipe['serve']>[0]) {
      const command = recipe.serve(place);
      if (!starts.includes(++changed.starts)) return command;
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));
      return { ...command, command: process.execPath, args: ['-e', 'console.error("shared memory in use")'] };
    },
  };
  return changed;
}

describe.skipIf(process.env.CI !== 'true' && !found)('a server that exits at once', () => {
  it('fails the start with its last words, and not for lack of an answer', async () => {
    const failure = launch(failing(1), '127.0.0.1');
    await expect(failure).rejects.toThrow(/ended with exit code 0[\s\S]*shared memory in use/);
    await expect(failure).rejects.not.toThrow(/failed to answer/);
  });

  it('is started again by a restart, which resolves when it answers', async () => {
    const changed = failing(2, 3);
    const server = await launch(changed, '127.0.0.1');
    onTestFinished(() => server.stop());
    const died = new Promise((resolve) => (server.onDeath = resolve));
    process.kill(server.pid as number, 'SIGKILL');
    await died;
    // The children of the killed server end by themselves.
    await sleep(500);
    await server.restart();
    expect(changed.starts).toBeGreaterThanOrEqual(4);
    const client = new pg.Client(server.url);
    await client.connect();
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    expect(server.pid).toBeGreaterThan(0);
  });

  it('serves again when it died just before it was to end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'topo-bench-guard-'));
    const guard = new Guard(folder);
    onTestFinished(() => guard.stop());
    const deaths: Error[] = [];
    guard.onDeath = (error) => deaths.push(error);
    const command = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'], log: join(folder, 'log') };
    for (const signal of ['SIGKILL', undefined] as const) {
      const pid = await guard.serve('sleeper', command);
      if (signal) process.kill(pid, signal);
      // Busy: the guard reports the end before it reads the request, and this process reads the report after it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      await guard.end();
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    }
    const last = await guard.serve('sleeper', command);
    expect(process.kill(last, 0)).toBe(true);
    expect(deaths).toEqual([]);
  });

  it('is given up when a command that prepares it does not end, and the command is ended', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'topo-bench-guard-'));
    const guard = new Guard(folder);
    onTestFinished(() => guard.stop());
    const script = "console.log('pid', process.pid); setInterval(() => {}, 1e6)";
    const command = { command: process.execPath, args: ['-e', script], log: join(folder, 'log') };
    const failure = (await guard.run('maker', command, 3000).catch((error: Error) => error)) as Error;
    expect(failure.message).toMatch(/^maker was still running after 3 s\n {2}\| pid \d+$/);
    const pid = Number(/pid (\d+)/.exec(failure.message)?.[1]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(existsSync(folder)).toBe(false);
  });
});
