/** Starts bare `node:http` processes the way the local runner starts roles: as many at once, ready when health-checked. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ControlClient } from '@topo-bench/runners/control-client';
import { inParallel } from '@topo-bench/runners/in-parallel';
import { roleEnvironment } from '@topo-bench/runners/local/role-environment';

const script = new URL('bare-http.cjs', import.meta.url).pathname;

/** @returns their pids, and how to end them */
export async function startBare(count: number, concurrency: number): Promise<{ pids: number[]; stop(): Promise<void> }> {
  const client = new ControlClient();
  const children: ChildProcess[] = [];
  const urls = await inParallel([...Array(count).keys()], concurrency, async () => {
    const child = spawn(process.execPath, [script], { env: roleEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return `http://127.0.0.1:${Number(port)}`;
  });
  await inParallel(urls, count, (url) => client.ask({ name: 'bare', url, controlToken: '' }, 'GET', '/health'));
  return {
    pids: children.map(({ pid }) => pid as number),
    stop: async () => {
      client.close();
      await Promise.all(children.map((child) => child.kill() && once(child, 'exit')));
    },
  };
}
