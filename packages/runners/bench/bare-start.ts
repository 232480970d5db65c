/** Starts bare `node:http` processes the way the local runner starts roles: as many at once, ready when health-checked. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ControlClient } from '@topo-bench/runners/control-client';
import { inParallel } from '@topo-bench/runners/in-parallel';
import { roleEnvironment } from '@topo-bench/runners/local/role-environment';

const script = new URL('bare-http.cjs', import.meta.url).pathname;

/** Resolves when all have answered. */
export async function startBare(count: number, concurrency: number): Promise<{ stop(): Promise<void> }> {
  const client = new ControlClient();
  const children: ChildProcess[] = [];
  const urls = await inParallel([...Array(count).keys()], concurrency, async () => {
    // In a session of its own like a role: the system shares the processor between sessions.
    const child = spawn(process.execPath, [script], {
      env: roleEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    children.push(child);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return `http://127.0.0.1:${Number(port)}`;
  });
  await inParallel(urls, count, (url) => client.ask({ name: 'bare', url, controlToken: '' }, 'GET', '/health'));
  return {
    stop: async () => {
      client.close();
      await Promise.all(children.map((child) => child.kill() && once(child, 'exit')));
    },
  };
}
