/** Enforcement points that take over for one that is down, in virtual time. */
import type { RoleConfig, StepRecord } from '@topo-bench/core';
import { styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { MemoryAnswer, MemoryFault } from '../../src/memory/index.ts';
import { memoryOf } from '../fixtures/memory.ts';

const ms = 1000;
const routers = { architecture: 'dynamic-router', routers: 3, resilience: { takeover: true } } as const;

/** Five services in a chain over three nodes, each with a router: the last step returns to the first router. */
function graphWith(enforcement: TopologyInput['enforcement']) {
  return graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'takeover', enforcement },
    nodes: ['n1', 'n2', 'n3'].map((name) => ({ name, region: name })),
    services: ['n1', 'n2', 'n2', 'n3', 'n1'].map((node, i) => ({ name: `s${i}`, node, work: '10ms' })),
    deadlines: { hop: '1s', request: '3s' },
  });
}

const request = (id: string) => ({
  ...{ id, class: 'order', origin: 'n1', categories: [], consents: [], purpose: 'contract' },
  payload: { customer: 'Ada' },
});

interface Options {
  faults?: readonly MemoryFault[];
  down?: readonly string[];
  change?: (config: RoleConfig) => Partial<RoleConfig>;
}

async function deploymentOf(enforcement: TopologyInput['enforcement'], options: Options) {
  const decided: string[] = [];
  const memory = await memoryOf(graphWith(enforcement), {
    ...options,
    onEffect: (effect, { name }) => {
      if (effect.kind === 'decide') decided.push(`${name} s${effect.service}`);
    },
  });
  /** @returns what each client has, and the roles that decided, in order */
  const load = async (timesMs: readonly number[]): Promise<{ answers: MemoryAnswer[]; decided: string[] }> => {
    decided.length = 0;
    const answers = await memory.sendAll(timesMs.map((at) => ({ request: request(`r${at}`), atUs: at * ms })));
    expect(memory.leftOpen()).toEqual([]);
    return { answers, decided };
  };
  return load;
}
const inShort = (answer: MemoryAnswer): string =>
  typeof answer === 'string' ? answer : (answer.response.error ?? answer.response.outcome);
const stepsOf = (answer: MemoryAnswer | undefined): StepRecord[] =>
  typeof answer === 'string' || !answer ? [] : answer.response.steps;
const takenOver = (answer: MemoryAnswer | undefined): string[] =>
  stepsOf(answer).flatMap((step) => (step.takenOver ? step.service : []));

describe.each(styles)('in %s style, the steps of a router that is down', (style) => {
  it('are decided by the next router, and then by their own again', async () => {
    const faults = [{ kind: 'crash', atUs: 0, roles: ['router-2'], restartUs: 500 * ms }] as const;
    const load = await deploymentOf({ ...routers, style }, { faults });
    const { answers, decided } = await load([100, 600]);
    expect(answers.map(inShort)).toEqual(['completed', 'completed']);
    expect(answers.map(takenOver)).toEqual([['s1', 's2'], []]);
    const [meanwhile, afterwards] = [decided.slice(0, 5), decided.slice(5)];
    expect(meanwhile).toEqual(['router-1 s0', 'router-3 s1', 'router-3 s2', 'router-3 s3', 'router-1 s4']);
    expect(afterwards).toEqual(['router-1 s0', 'router-2 s1', 'router-2 s2', 'router-3 s3', 'router-1 s4']);
    // One hop less: nothing passes from router-2 to router-3. That to the role that is down does not count.
    const hops = answers.map((answer) =>
      typeof answer === 'string' ? [] : [answer.response.hops, answer.response.hopsBetweenNodes],
    );
    expect(hops).toEqual(
      style === 'forward'
        ? [
            [9, 4],
            [10, 3],
          ]
        : [
            [8, 4],
            [9, 3],
          ],
    );
  });

  it('of the last router are decided by the first', async () => {
    const load = await deploymentOf({ ...routers, style }, { down: ['router-3'] });
    const { answers, decided } = await load([0]);
    expect(answers.map(inShort)).toEqual(['completed']);
    expect(decided).toEqual(['router-1 s0', 'router-2 s1', 'router-2 s2', 'router-1 s3', 'router-1 s4']);
  });

  it('are decided by the router that has the flow, if that is the next one', async () => {
    const two = { ...routers, routers: 2, style };
    for (const [down, other, expected] of [
      ['router-1', 'router-2', ['s0', 's1', 's2', 's4']],
      ['router-2', 'router-1', ['s3']],
    ] as const) {
      const load = await deploymentOf(two, { down: [down] });
      const { answers, decided } = await load([0]);
      expect(answers.map(inShort)).toEqual(['completed']);
      expect(decided).toEqual(['s0', 's1', 's2', 's3', 's4'].map((service) => `${other} ${service}`));
      expect(takenOver(answers[0])).toEqual(expected);
    }
  });

  it('are refused when the next router is down too, or has no rules for them', async () => {
    const load = await deploymentOf({ ...routers, style }, { down: ['router-2', 'router-3'] });
    expect((await load([0])).answers.map(inShort)).toEqual(['unreachable:router-3']);
    const change = () => ({ takesOver: [] });
    const withoutRules = await deploymentOf({ ...routers, style }, { down: ['router-2'], change });
    expect((await withoutRules([0])).answers.map(inShort)).toEqual(['no-rules:router-3']);
  });

  it('are not decided again if the router had the flow as it crashed', async () => {
    const faults = [{ kind: 'crash', atUs: 15 * ms, roles: ['router-2'] }] as const;
    const load = await deploymentOf({ ...routers, style }, { faults });
    const { answers, decided } = await load([0]);
    expect(answers.map(inShort)).toEqual([style === 'nested' ? 'unreachable:router-2' : 'deadline:router-2']);
    expect(decided).toEqual(['router-1 s0', 'router-2 s1']);
  });
});

describe('replicas', () => {
  const central = { architecture: 'central-entity', replicas: 3, resilience: { takeover: true } } as const;

  it.each(['round-robin', 'sticky'] as const)('take over for each other, without a retry: %s', async (spread) => {
    const down = ['central-entity', 'central-entity-3'];
    const load = await deploymentOf({ ...central, spread }, { down });
    const { answers, decided } = await load([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(answers.map(inShort)).toEqual(Array(8).fill('completed'));
    expect(new Set(decided.map((one) => one.split(' ')[0]))).toEqual(new Set(['central-entity-2']));
    // They are the same point, on the same node.
    expect(answers.flatMap(takenOver)).toEqual([]);
  });

  it('of a router come before the next router', async () => {
    const enforcement = { ...routers, replicas: 2 };
    const one = await deploymentOf(enforcement, { down: ['router-2'] });
    expect((await one([0, 1])).answers.map(takenOver)).toEqual([[], []]);
    const both = await deploymentOf(enforcement, { down: ['router-2', 'router-2-2', 'router-3'] });
    const { answers, decided } = await both([0]);
    expect(answers.map(takenOver)).toEqual([['s1', 's2']]);
    expect(decided.slice(1, 4)).toEqual(['router-3-2 s1', 'router-3-2 s2', 'router-3-2 s3']);
  });
});

it('without takeover no other point gets a flow', async () => {
  const load = await deploymentOf({ ...routers, resilience: { retries: 1 } }, { down: ['router-2'] });
  expect((await load([0])).answers.map(inShort)).toEqual(['unreachable:router-2']);
});
