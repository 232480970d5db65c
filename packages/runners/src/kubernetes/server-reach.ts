/** How pods reach database servers on the machine that runs topo-bench. */
import { hostPart, type ServerReach } from '@topo-bench/core';
import { isOwnAddress } from '@topo-bench/host';
import type { ApiClient } from './api-client.ts';
import { readyNodes } from './nodes.ts';

/**
 * At the address of the node, where this machine is the only ready node of the cluster. Pods of other nodes would come
 * from addresses that no server here admits.
 */
export async function podsReach(api: ApiClient): Promise<ServerReach> {
  const [node, ...others] = (await readyNodes(api)) ?? [];
  const address = node?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  if (others.length > 0 || address === undefined || !(await isOwnAddress(address))) return {};
  return { listen: address, loopback: hostPart(address) };
}
