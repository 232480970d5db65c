/** The cells of the quickstart: a simulated load against the same requests in the deployment in memory. */
import { readFileSync } from 'node:fs';
import { architectures, type GatewayRequest, type GatewayResponse } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import type { RulesInput } from '@topo-bench/core/schema/rules';
import { styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf, parseSource } from '@topo-bench/topology';
import { requestGenerator } from '@topo-bench/workload';
import { expect, it } from 'vitest';
import { memoryOf } from '../../flow/test/fixtures/memory.ts';
import { busyModel, hostWith } from './fixtures/free-model.ts';
import { replicationsOf } from './fixtures/replications.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const { rules: _, ...topology } = parseSource({ text: textOf('topologies/quickstart.yaml'), file: '' })
  .value as TopologyInput;
const rules = parseSource({ text: textOf('rules/gdpr.yaml'), file: '' }).value as RulesInput;

const cases = architectures.flatMap((architecture) => styles.map((style) => [architecture, style] as const));

it.each(cases)(
  'has the steps, outcomes, hops, exposure and deliveries of the deployment in memory: %s, %s',
  async (architecture, style) => {
    const graph = graphOf({ ...topology, enforcement: { architecture, style, routers: 3 } }, rules);
    const memory = await memoryOf(graph);
    const hashing = keyedHashing(memory.keys);
    const generate = requestGenerator({ classes: graph.requestClasses, seed: 1, repetition: 1 });
    const requestOf = (index: number) => generate(index) as GatewayRequest & { id: string };
    const load = { model: busyModel, cluster: hostWith(2, graph.nodes.length), requestOf };
    const { replicate, deployment } = await replicationsOf(graph, { rateRps: 100, seconds: 1, ...load });
    const { requests, answerTo, isLive } = replicate(1);
    expect(isLive).toBe(false);
    expect(requests.count).toBeGreaterThan(70);
    // Far fewer traces than requests, and yet more than one.
    expect(deployment.traces.list.length).toBeGreaterThan(5);
    expect(deployment.traces.list.length).toBeLessThan(25);
    const withoutTimes = ({ rttUs: _, ...answer }: GatewayResponse): object => answer;
    for (let i = 0; i < requests.count; i++) {
      const { response } = answerTo(i, hashing) ?? expect.fail(`request ${i} has no answer`);
      expect(withoutTimes(response)).toEqual(withoutTimes(await memory.send(requestOf(i))));
    }
  },
);
