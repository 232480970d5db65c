/** Tests of a service that keeps data, over every store behind both frameworks that are made for it. */
import { itemEngines } from '@topo-bench/core';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { sharedServers, storeCases, type TestServers } from '../../../guests/stores/test/fixtures/test-servers.ts';
import { type ItemService, startItemService } from './item-service.ts';

const combinations = storeCases.flatMap((store) =>
  (['fastify', 'express'] as const).map((framework) => ({ ...store, framework })),
);
type Combination = (typeof combinations)[number];

/** @param tests take the service of their combination, which is there once they run */
export function describeItemServices(
  title: string,
  tests: (service: () => ItemService, combination: Combination) => void,
): void {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await sharedServers(itemEngines);
  });

  describe.each(combinations)(`${title} on $framework over $configuration on $engine`, (combination) => {
    const { configuration, engine, framework } = combination;
    let service: ItemService | undefined;

    beforeAll(async () => {
      if (servers.missing(engine)) return;
      service = await startItemService({ configuration, engine, framework, serverUrl: servers.get(engine).url });
    });

    beforeEach(({ skip }) => {
      const reason = servers.missing(engine);
      if (reason) skip(reason);
    });

    afterAll(() => service?.close());

    tests(() => service as ItemService, combination);
  });
}
