/** Networks of runs, on a real engine. */
import type { Engine } from '@topo-bench/containers';
import { describe, expect, it } from 'vitest';
import { dockerOrSkip } from '../../../../test/fixtures/engines.ts';
import { createNetwork } from '../../src/docker/run-network.ts';

const found = await dockerOrSkip();

describe.skipIf(found.missing)(`a network of a run${found.why}`, () => {
  it('is removed again when its addresses cannot be read', async () => {
    const engine = await found.engine;
    const name = `tb-test-network-${process.pid}`;
    const list = async (): Promise<string[]> =>
      (await engine.client.listNetworks({ filters: { name: [name] } })).map(({ Name }) => Name);
    let during: string[] = [];
    const client = Object.create(engine.client) as Engine['client'];
    client.createNetwork = (async (options: { Name: string }) => {
      const network = await engine.client.createNetwork(options);
      network.inspect = async () => {
        during = await list();
        throw new Error('socket hang up');
      };
      return network;
    }) as never;
    await expect(createNetwork({ ...engine, client }, name, {})).rejects.toThrow('socket hang up');
    expect(during).toEqual([name]);
    expect(await list()).toEqual([]);
  });
});
