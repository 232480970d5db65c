/** Database servers in containers on the network of a run, for the time of a deployment. */
import { type Engine, engineFailure, isGone, withinDeadline } from '@topo-bench/containers';
import type { ReachedContainer } from '@topo-bench/core';

/** @throws TopoBenchError `TB_ENGINE_FAILED` */
export async function joinServers(
  { client }: Engine,
  network: string,
  servers: readonly ReachedContainer[],
): Promise<void> {
  for (const { id, name } of servers) {
    const endpoint = { Container: id, EndpointConfig: { Aliases: [name] } };
    const work = `connect ${name} to the network ${network}`;
    await withinDeadline(work, () => client.getNetwork(network).connect(endpoint)).catch((error: unknown) => {
      throw engineFailure(work, error);
    });
  }
}

/** The engine keeps a network as long as a container is on it. */
export async function removeServers(
  { client }: Engine,
  network: string,
  servers: readonly ReachedContainer[],
): Promise<void> {
  for (const { id, name } of servers) {
    const work = `disconnect ${name} from the network ${network}`;
    const left = withinDeadline(work, () => client.getNetwork(network).disconnect({ Container: id, Force: true }));
    await left.catch((error: Error) => {
      // It never joined, or has been removed.
      if (!isGone(error) && !/is not connected/.test(error.message)) throw engineFailure(work, error);
    });
  }
}
