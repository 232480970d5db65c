/** How containers of an engine reach database servers on the machine that runs topo-bench. */
import { isIP } from 'node:net';
import type { ServerReach } from '@topo-bench/core';
import { isOwnAddress } from '@topo-bench/host';
import type { Engine } from './connect-engine.ts';

const loopback = '127.0.0.1';
/** Docker's default network, and Podman's. */
const defaultNetworks = { Docker: 'bridge', Podman: 'podman' } as const;
/** Names under which an engine in a virtual machine, such as Docker Desktop, forwards to loopback addresses. */
const namesOfHost = { Docker: 'host.docker.internal', Podman: 'host.containers.internal' } as const;

/**
 * On Linux the gateway of the default network is an address of this machine. Containers of all networks reach it, and
 * other machines have no route to it. Such a server is therefore less exposed than one on all addresses.
 * @param context of Docker, as chosen by the user
 */
export async function serverReach(engine: Engine, context?: string): Promise<ServerReach> {
  const { facts, publishedHost } = engine;
  const containers = context === undefined ? {} : { context };
  if (publishedHost !== loopback) return { containers };
  if (!facts.local) return { containers, listen: loopback, loopback: namesOfHost[facts.product] };
  const gateway = facts.rootless ? undefined : await ownGateway(engine);
  return gateway === undefined ? { containers } : { containers, listen: gateway, loopback: gateway };
}

/** Podman creates its bridge with the first container: before that, the address does not exist. */
async function ownGateway({ client, facts }: Engine): Promise<string | undefined> {
  const network = await client
    .getNetwork(defaultNetworks[facts.product])
    .inspect()
    .catch(() => undefined);
  for (const { Gateway, Subnet } of network?.IPAM?.Config ?? []) {
    const gateway = Gateway ?? firstAddress(Subnet);
    if (gateway !== undefined && isIP(gateway) === 4 && (await isOwnAddress(gateway))) return gateway;
  }
  return undefined;
}

/** Docker gives it to the bridge, and older versions do not report it: `172.17.0.1` of `172.17.0.0/16`. */
function firstAddress(subnet: string | undefined): string | undefined {
  return subnet?.replace(/\.0\/\d+$/, '.1');
}
