import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/kubernetes/api-client.ts';
import { ApiError } from '../../src/kubernetes/api-error.ts';
import { clusterCapacity, quantityOf } from '../../src/kubernetes/nodes.ts';
import { podsReach } from '../../src/kubernetes/server-reach.ts';

/** Answers of an API server, by a function of the path. */
const apiThat = (answer: () => object): ApiClient => ({ request: async () => answer() }) as unknown as ApiClient;
const nodeWith = (cpu: string, memory: string, ready = 'True', spec = {}) => ({
  spec,
  status: { allocatable: { cpu, memory }, conditions: [{ type: 'Ready', status: ready }] },
});

describe('the capacity of a cluster', () => {
  it.each([
    ['2', 2],
    ['1930m', 1.93],
    ['7847260Ki', 7847260 * 1024],
    ['16Gi', 17179869184],
    ['1G', 1e9],
    ['1.5', 1.5],
    ['12e6', 12e6],
    ['many', 0],
  ])('reads the quantity %s', (text, value) => expect(quantityOf(text)).toBeCloseTo(value, 6));

  it('is the sum over the nodes that are ready and take pods', async () => {
    const items = [
      nodeWith('1930m', '1Gi'),
      nodeWith('2', '1Gi', 'True', { unschedulable: false }),
      nodeWith('64', '64Gi', 'Unknown'),
      nodeWith('32', '32Gi', 'True', { unschedulable: true }),
    ];
    expect(await clusterCapacity(apiThat(() => ({ items })))).toEqual({
      cores: expect.closeTo(3.93),
      memoryBytes: 2 ** 31,
    });
  });

  it('is unknown without the right to list nodes, and without nodes', async () => {
    const refuse = (): never => {
      throw new ApiError(403, 'Forbidden', 'cannot list resource "nodes"');
    };
    expect(await clusterCapacity(apiThat(refuse))).toBeUndefined();
    expect(await clusterCapacity(apiThat(() => ({ items: [] })))).toBeUndefined();
  });
});

it.each([
  [new ApiError(500, 'InternalError', 'etcd has no leader'), 'TB_CLUSTER_REFUSED', 'etcd has no leader'],
  [new ApiError(401, 'Unauthorized', 'the token has expired'), 'TB_CLUSTER_RIGHTS', 'the token has expired'],
  [new Error('socket hang up'), 'TB_CLUSTER_NO_ANSWER', 'does not answer: socket hang up'],
])('%s while nodes are listed is an error of the cluster', async (error, code, reason) => {
  const api = apiThat(() => {
    throw error;
  });
  for (const list of [clusterCapacity, podsReach]) {
    const message = expect.stringMatching(`^cannot list the nodes: .*${reason}`);
    await expect(list(api)).rejects.toMatchObject({ code, exitCode: 3, message });
  }
});

it.each([
  ['127.0.0.1', '127.0.0.1'],
  // The same address in the notation of IPv6.
  ['::ffff:127.0.0.1', '[::ffff:127.0.0.1]'],
])('servers at the node %s have the host %s in URLs for pods', async (address, loopback) => {
  const { status } = nodeWith('1', '1Gi');
  const addresses = [{ type: 'InternalIP', address }];
  const reach = await podsReach(apiThat(() => ({ items: [{ status: { ...status, addresses } }] })));
  expect(reach).toEqual({ listen: address, loopback });
});
