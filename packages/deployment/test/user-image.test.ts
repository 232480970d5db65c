import { architectures, isEnforced } from '@topo-bench/core';
import type { UserImage } from '@topo-bench/core/schema/user-service';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { deploymentDocuments } from '../src/deployment-documents.ts';
import { planDeployment } from '../src/plan-deployment.ts';
import { userImageEnvironment, userImagePort } from '../src/user-image.ts';
import { loopback } from './fixtures/loopback.ts';

const place = {
  ...loopback,
  urlOf: ({ name }: { name: string }) => `http://${name}:8080`,
  userImageUrlOf: ({ name }: { name: string }) => `http://${name}-image:3000`,
};

function documentsOf(architecture: (typeof architectures)[number]) {
  const graph = graphOf(
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 't',
      services: [
        { name: 'orders' },
        { name: 'pricing', image: 'shop/pricing:2', port: 3000, path: '/price', env: { KEY: 'hidden' } },
      ],
      enforcement: { architecture },
    },
    undefined,
  );
  const plan = planDeployment(graph);
  return { plan, documents: deploymentDocuments({ graph, plan, seed: 1, secret: 's', place }) };
}

describe('a user-supplied image', () => {
  it.each(architectures)('with %s is called by its enforcement point, or by its role without one', (architecture) => {
    const { plan, documents } = documentsOf(architecture);
    const enforced = isEnforced(architecture);
    const callers = documents.roles.filter(
      ({ config }) => config.peers.pricing && !['gateway', 'pricing'].includes(config.name),
    );
    expect(callers.length).toBeGreaterThan(0);
    for (const { config } of callers) {
      expect(config.peers.pricing?.url).toBe(enforced ? 'http://pricing-image:3000' : 'http://pricing:8080');
    }
    const [gateway] = documents.roles;
    expect(gateway?.config.peers.pricing?.url).toBe(enforced ? undefined : 'http://pricing:8080');
    expect(plan.roles.find(({ name }) => name === 'pricing')?.userImage?.image).toBe('shop/pricing:2');
  });

  it('is reached by its role, which gets none of its variables', () => {
    const { documents } = documentsOf('sidecar');
    const role = documents.roles.find(({ config }) => config.name === 'pricing');
    expect(role?.config.userService).toMatchObject({
      kind: 'image',
      origin: 'http://pricing-image:3000',
      path: '/price',
    });
    expect(JSON.stringify(documents)).not.toContain('hidden');
  });

  it('gets its port, the token of its role, and the variables of the file, which win', () => {
    const image: UserImage = {
      kind: 'image',
      image: 'i',
      port: { env: 'LISTEN' },
      env: { A: '1' },
      path: '/',
      readyWithinUs: 1,
    };
    expect(userImagePort(image)).toBe(8080);
    expect(userImageEnvironment(image, 'secret')).toEqual({ LISTEN: '8080', TOPO_BENCH_TOKEN: 'secret', A: '1' });
    const fixed: UserImage = { ...image, port: 3000, env: { TOPO_BENCH_TOKEN: 'own' } };
    expect(userImagePort(fixed)).toBe(3000);
    expect(userImageEnvironment(fixed, 'secret')).toEqual({ TOPO_BENCH_TOKEN: 'own' });
  });
});
