/**
 * Starts bare hops the way the local runner starts roles: as many at once, with the addresses of their peers once all
 * listen, in the shape of a chain of services with sidecars. The script is bundled into one file like the roles' own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inParallel, roleEnvironment } from '@topo-bench/runners';
import { build } from 'esbuild';

/** Processes of a chain: the gateway, then each service with its sidecar. */
export const processesOf = (services: number): number => 2 * services + 1;

/** @returns path of the bundled script */
export async function bundleBareHop(folder: string): Promise<string> {
  const outfile = join(folder, 'bare-hop.cjs');
  const entry = fileURLToPath(new URL('bare-hop.cjs', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return outfile;
}

/** @returns the address of the gateway, and the end of all processes */
export async function startBare(
  script: string,
  services: number,
  concurrency: number,
): Promise<{ gatewayUrl: string; stop(): Promise<void> }> {
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.kill() && once(child, 'exit')));
  };
  try {
    const hops = await inParallel([...Array(processesOf(services)).keys()], concurrency, async () => {
      // A session of its own, like a role: Linux shares the processor between sessions.
      const child = spawn(process.execPath, [script], {
        env: roleEnvironment(),
        stdio: ['pipe', 'pipe', 'inherit'],
        detached: true,
      });
      children.push(child);
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      return { child, url: `http://127.0.0.1:${Number(port)}` };
    });
    const urls = hops.map(({ url }) => url);
    await inParallel([...hops.entries()], hops.length, async ([i, { child }]) => {
      child.stdin.write(`${JSON.stringify(peersOf(i, services).map((peer) => urls[peer]))}\n`);
      await once(child.stdout, 'data');
    });
    return { gatewayUrl: urls[0] as string, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Places of the hops that a hop calls: process 0 is the gateway, 2i + 1 the sidecar and 2i + 2 the service of step i.
 */
function peersOf(hop: number, services: number): number[] {
  if (hop === 0) return [1];
  if (hop % 2 === 0) return [];
  return hop + 2 <= 2 * services ? [hop + 1, hop + 2] : [hop + 1];
}
