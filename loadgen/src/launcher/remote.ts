/**
 * Launcher `remote`: generators on other hosts, each reached through a generator host (`load-worker.js --listen`). The
 * hosts run before and after a load; the generators end with it.
 */
import { randomUUID } from 'node:crypto';
import type { Wakefulness } from '@topo-bench/host';
import type { LoadPart } from '../generator/messages.ts';
import type { GeneratorAddress } from '../remote/generator-address.ts';
import type { HttpLink } from '../remote/http-link.ts';
import type { Launcher } from './launcher.ts';

export interface RemoteLauncherOptions {
  /**
   * Addresses of generator hosts, `count` of them.
   * @param count generators of the load
   */
  addresses(count: number, signal: AbortSignal | undefined): Promise<readonly GeneratorAddress[]>;
  heartbeatMs?: number;
}

export function remoteLauncher({ addresses, heartbeatMs }: RemoteLauncherOptions): Launcher {
  const coordinator = randomUUID();
  let links: HttpLink[] = [];
  return {
    isRemote: true,
    async launch(parts, signal) {
      // Processes on this host need no link.
      const { openLink } = await import('../remote/http-link.ts');
      const hosts = await addresses(generatorsOf(parts), signal);
      const opened = await Promise.allSettled(
        parts.map(({ driver }, part) =>
          openLink(hosts[part % hosts.length] as GeneratorAddress, { coordinator, driver, signal, heartbeatMs }),
        ),
      );
      links = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const failed = opened.find((one) => one.status === 'rejected');
      if (!failed) return links;
      await Promise.all(links.map((link) => link.end()));
      throw failed.reason;
    },
    keepAwake: () => keepAwake(links),
  };
}

function generatorsOf([part]: readonly LoadPart[]): number {
  return part?.job.generators ?? 1;
}

/** The hosts let their cores sleep when the links end. */
async function keepAwake(links: readonly HttpLink[]): Promise<Wakefulness | undefined> {
  const granted = await Promise.all(links.map((link) => link.keepAwake()));
  return granted.every(Boolean) ? { end: async () => undefined } : undefined;
}
