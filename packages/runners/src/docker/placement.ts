/** The addresses of roles in containers: a host name for each on the network of the run, and the same ports in all. */
import { type ReachedContainer, type ServerReach, seenByRoles, withAddresses } from '@topo-bench/core';
import type { UserImage } from '@topo-bench/core/schema/user-service';
import { hostNameOf, type Placement, userHostOf, userImagePort } from '@topo-bench/deployment';

export const ports = { data: 8080, control: 8081, flight: 8815 } as const;

/**
 * All containers share the host of the engine: its network has no delay, and the sender of a message adds it.
 * @param published where ports of containers are published; absent on an engine of another host
 */
export function onNetwork(servers: readonly ReachedContainer[], reach: ServerReach, published?: 'loopback'): Placement {
  const { data: port, control: controlPort, flight: flightPort } = ports;
  return {
    listen: () => ({ host: '0.0.0.0', port, controlPort, flightPort, ...(published && { published }) }),
    urlOf: ({ name }) => `http://${hostNameOf(name)}:${ports.data}`,
    controlUrlOf: ({ name }) => `http://${hostNameOf(name)}:${ports.control}`,
    userImageUrlOf: ({ name, userImage }) => `http://${userHostOf(name)}:${userImagePort(userImage as UserImage)}`,
    storeUrl: (url) => seenByRoles(atServers(url, servers), reach),
    network: 'simulated',
  };
}

/** A server in a container joins the network of the roles: they use its name and its own port there. */
function atServers(url: string, servers: readonly ReachedContainer[]): string {
  return withAddresses(url, (address) => {
    const server = servers.find(({ host, port }) => address === `${host}:${port}`);
    return server ? `${server.name}:${server.containerPort}` : address;
  });
}
