/** Roles that crash around a change of rules: they come back with the rules in force. */
import { join } from 'node:path';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { deploymentDocuments, planDeployment, ruleChange } from '@topo-bench/deployment';
import { createRunner, type Deployment, type Runner } from '@topo-bench/runners';
import { type Graph, graphOf } from '@topo-bench/topology';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../packages/services/test/fixtures/deployment.ts';
import { changedService } from './fixtures/changed-service.ts';
import { dockerOrSkip, kubernetesOrSkip } from './fixtures/engines.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

const folder = temporaryFolder();
let serviceEntry: string;
beforeAll(async () => {
  serviceEntry = await changedService(folder, []);
});

type Consistency = 'eventual' | 'versioned';
const takeover: TopologyInput['enforcement'] = {
  architecture: 'dynamic-router',
  routers: 2,
  resilience: { takeover: true },
};
function refusingAt(
  service: string,
  consistency: Consistency,
  enforcement: TopologyInput['enforcement'] = { architecture: 'sidecar' },
): Graph {
  return graphOf(
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'restarted', framework: 'node' },
      nodes: [{ name: 'n', region: 'eu' }],
      services: [{ generate: 2 }],
      enforcement: { ...enforcement, consistency },
    },
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r' },
      rules: [
        {
          ...{ id: `not-to-${service}`, effect: 'deny' },
          when: { fact: 'target', path: '$.service', operator: 'equal', value: service },
        },
      ],
    },
  );
}

let deployment: Deployment;
afterEach(() => deployment?.stop());
const { signal } = new AbortController();

async function started(
  consistency: Consistency,
  runner: Runner,
  enforcement?: TopologyInput['enforcement'],
): Promise<(service: string, version: number) => Promise<void>> {
  const graph = refusingAt('svc-2', consistency, enforcement);
  const plan = planDeployment(graph);
  deployment = await runner.start(
    plan,
    (place) => deploymentDocuments({ graph, plan, seed: 1, secret: 'secret of a test', place }),
    { logsDir: join(folder, consistency), keepers: true },
  );
  return (service, version) => {
    return deployment.changeRules(ruleChange(refusingAt(service, consistency, enforcement), plan, version), signal);
  };
}

async function decided() {
  const { body } = await send(deployment.gatewayUrl, { id: crypto.randomUUID() });
  return [body.rule, body.steps.map(({ version }) => version)];
}

describe.each(['eventual', 'versioned'] as const)('with %s rules', (consistency) => {
  it('a role that crashed after or during a change decides by the new ones, and a gateway names them', async () => {
    const change = await started(consistency, await createRunner('local', { serviceEntry }));
    expect(await decided()).toEqual(['not-to-svc-2', [undefined, undefined]]);
    await change('svc-1', 1);
    for (const role of ['svc-1-sidecar', 'gateway']) {
      await deployment.apply({ kind: 'kill', role }, signal);
      await deployment.apply({ kind: 'restart', role }, signal);
      expect(await decided()).toEqual(['not-to-svc-1', [1]]);
    }
    await deployment.apply({ kind: 'kill', role: 'svc-2-sidecar' }, signal);
    await change('svc-2', 2);
    await deployment.apply({ kind: 'restart', role: 'svc-2-sidecar' }, signal);
    expect(await decided()).toEqual(['not-to-svc-2', [2, 2]]);
  });
});

it('a gateway that starts again stamps the first requests with the version in force', async () => {
  const change = await started('versioned', await createRunner('local', { serviceEntry }));
  await change('svc-1', 1);
  await deployment.apply({ kind: 'kill', role: 'gateway' }, signal);
  let isBack = false;
  const restarted = deployment.apply({ kind: 'restart', role: 'gateway' }, signal).then(() => {
    isBack = true;
  });
  const seen: unknown[] = [];
  while (!isBack)
    await decided().then(
      (one) => seen.push(one),
      () => undefined,
    );
  await restarted;
  seen.push(await decided());
  // Before it has the addresses of its peers, it answers with an error, and nothing is decided.
  const undecided = JSON.stringify([undefined, []]);
  const answers = new Set(seen.map((one) => JSON.stringify(one)).filter((one) => one !== undecided));
  expect(answers).toEqual(new Set(['["not-to-svc-1",[1]]']));
});

it('a point that is starting while rules change decides by the new ones once they are confirmed', async () => {
  const change = await started('eventual', await createRunner('local', { serviceEntry }));
  await deployment.apply({ kind: 'kill', role: 'svc-1-sidecar' }, signal);
  const restarted = deployment.apply({ kind: 'restart', role: 'svc-1-sidecar' }, signal);
  await change('svc-1', 1);
  await restarted;
  expect(await decided()).toEqual(['not-to-svc-1', [1]]);
});

it('a router that takes over decides by changed rules, until the one that was killed is back with them', async () => {
  const change = await started('eventual', await createRunner('local', { serviceEntry }), takeover);
  const decidedAt = async () => {
    const { body } = await send(deployment.gatewayUrl, { id: crypto.randomUUID() });
    return [body.rule ?? body.error, body.steps.map(({ service, takenOver }) => `${service} ${takenOver ?? false}`)];
  };
  expect(await decidedAt()).toEqual(['not-to-svc-2', ['svc-1 false', 'svc-2 false']]);
  await deployment.apply({ kind: 'kill', role: 'router-1' }, signal);
  expect(await decidedAt()).toEqual(['not-to-svc-2', ['svc-1 true', 'svc-2 false']]);
  await change('svc-1', 1);
  expect(await decidedAt()).toEqual(['not-to-svc-1', ['svc-1 true']]);
  await deployment.apply({ kind: 'restart', role: 'router-1' }, signal);
  expect(await decidedAt()).toEqual(['not-to-svc-1', ['svc-1 false']]);
});

/** An image has the built one. */
const built = join(root, 'packages/cli/dist/service.cjs');
const baseImage = process.env.TOPO_BENCH_BASE_IMAGE;
const [docker, kubernetes] = [await dockerOrSkip(), await kubernetesOrSkip()];
const { image } = kubernetes;
const places = [
  ['containers', docker, () => createRunner('docker', { serviceEntry: built, ...(baseImage && { baseImage }) })],
  ['pods', kubernetes, () => createRunner('kubernetes', { serviceEntry: built, image })],
] as const;
describe.each(places)('in %s', (_, { missing, why }, runner) => {
  it.skipIf(missing)(
    `a role that crashed before or during a change decides by the new rules${why}`,
    { timeout: 120_000 },
    async () => {
      const change = await started('eventual', await runner());
      expect(await decided()).toEqual(['not-to-svc-2', [undefined, undefined]]);
      await change('svc-1', 1);
      await deployment.apply({ kind: 'kill', role: 'svc-1-sidecar' }, signal);
      await deployment.apply({ kind: 'restart', role: 'svc-1-sidecar' }, signal);
      expect(await decided()).toEqual(['not-to-svc-1', [1]]);
      await deployment.apply({ kind: 'kill', role: 'svc-2-sidecar' }, signal);
      await change('svc-2', 2);
      await deployment.apply({ kind: 'restart', role: 'svc-2-sidecar' }, signal);
      expect(await decided()).toEqual(['not-to-svc-2', [2, 2]]);
    },
  );
});
