/**
 * The gateway for clients on this machine: the address of its pod where that can be reached, as on a node of the
 * cluster, else a port of this machine that the API server forwards.
 */
import type net from 'node:net';
import { hostPart, TopoBenchError } from '@topo-bench/core';
import { acceptsConnections } from '@topo-bench/host';
import type { ApiClient } from './api-client.ts';
import { clusterError } from './api-error.ts';
import { ForwardedPort } from './forwarded-port.ts';
import { missingRights, rightsInNamespaces } from './rights.ts';

export interface ReachedGateway {
  url: string;
  /** Whether pods are reached from here. */
  isDirect: boolean;
  close(): void;
}

const connectMs = 1000;
const forwarding = rightsInNamespaces('', 'pods', ['get', 'create'], 'portforward');

/** @throws TopoBenchError `TB_CLUSTER_RIGHTS` where the user may not forward ports */
export async function requireForwarding(api: ApiClient): Promise<void> {
  const [problem] = await missingRights(api, forwarding).catch((error) => {
    throw clusterError('read the rights of the user', api.server, error);
  });
  if (problem) throw new TopoBenchError(problem.code, problem.message, { hint: problem.hint ?? '' });
}

/**
 * @param port of this machine, with the rights checked; then it is forwarded in any case
 * @throws TopoBenchError `TB_CLUSTER_RIGHTS`
 */
export async function reachGateway(
  api: ApiClient,
  gateway: { namespace: string; pod: string; address: string; port: number },
  port?: ForwardedPort,
): Promise<ReachedGateway> {
  const isDirect = await acceptsConnections(gateway.address, gateway.port, connectMs);
  if (isDirect && !port) {
    return { url: `http://${hostPart(gateway.address)}:${gateway.port}`, isDirect, close: () => undefined };
  }
  if (!port) await requireForwarding(api);
  const forward = await forwarder(api, gateway);
  const forwarded = port ?? (await ForwardedPort.open(0));
  forwarded.forward(forward);
  return { url: forwarded.url, isDirect, close: () => forwarded.close() };
}

/** Connects clients with a pod. */
async function forwarder(
  api: ApiClient,
  { namespace, pod, port }: { namespace: string; pod: string; port: number },
): Promise<(client: net.Socket) => void> {
  const { PortForward } = await import('@kubernetes/client-node');
  const forward = new PortForward(api.config);
  return (client) => {
    forward.portForward(namespace, pod, [port], client, null, client).then(
      (channel) => {
        const channelOf = typeof channel === 'function' ? channel() : channel;
        channelOf?.on('close', () => client.destroy());
        client.on('close', () => channelOf?.close());
      },
      () => client.destroy(),
    );
  };
}
