import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeploymentPlan } from '@topo-bench/deployment';
import { freePort } from '@topo-bench/host';
import { expect, it, onTestFinished } from 'vitest';
import { urlProblems } from '../src/url-problems.ts';
import { planOf } from './fixtures/role-documents.ts';

/** A plan with a service at that port of this machine. */
function planAt(port: number): DeploymentPlan {
  const { roles, ...others } = planOf(1);
  return { ...others, roles: roles.map((role) => ({ ...role, userUrl: `http://localhost:${port}` })).slice(1) };
}

// 127.0.0.1 in the notation of IPv6, for pods on a node with such an address.
const loopback = '[::ffff:127.0.0.1]';
const reach = async () => ({ listen: '::ffff:127.0.0.1', loopback });

it('a service on a node with an address of IPv6 is reached there', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(await urlProblems(planAt((server.address() as AddressInfo).port), reach)).toEqual([]);
});

it('a service that does not listen there is a problem that names both addresses', async () => {
  const port = await freePort();
  expect(await urlProblems(planAt(port), reach)).toEqual([
    {
      code: 'TB_RUNNER_CANNOT_REACH',
      message: `"svc-1" at http://localhost:${port} does not accept connections at http://${loopback}:${port}, where the roles reach it`,
      hint: expect.stringContaining('let it listen on ::ffff:127.0.0.1 as well'),
    },
  ]);
});
