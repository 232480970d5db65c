/** What a flow does under each architecture and in both styles, performed in memory in virtual time. */
import { architectures, type GatewayRequest, type RoleConfig } from '@topo-bench/core';
import type { RulesInput } from '@topo-bench/core/schema/rules';
import { styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { CallEffect } from '../../src/index.ts';
import { memoryOf, type TestMemory, type TestMemoryOptions } from '../fixtures/memory.ts';

const nodes = [
  { name: 'a', region: 'eu' },
  { name: 'b', region: 'us' },
];
const payload = { customer: 'Ada', card: '4000' };
const fieldCategories = { customer: 'personal', card: 'payment' };
const request: GatewayRequest = {
  ...{ id: 'one', class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract' },
  ...{ payload, fieldCategories },
};

type Rules = RulesInput['rules'];

/** A deployment that keeps the payloads that its services were sent. */
async function recorded(
  topology: Omit<Partial<TopologyInput>, 'apiVersion' | 'kind'> & Pick<TopologyInput, 'services'>,
  rules: Rules,
  options: TestMemoryOptions & Partial<Pick<RulesInput, 'default'>> = {},
): Promise<TestMemory & { received: (service: string) => unknown[] }> {
  const { default: effect, ...rest } = options;
  const graph = graphOf(
    { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', ...topology },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', rules, ...(effect && { default: effect }) },
  );
  const calls: CallEffect<unknown>[] = [];
  const memory = await memoryOf(graph, {
    ...rest,
    onEffect: (performed) => {
      if (performed.kind === 'call') calls.push(performed);
    },
  });
  const received = (service: string): unknown[] =>
    calls
      .filter(({ crossing }) => crossing.to === service)
      .map(({ redacted, task }) => (redacted ?? task.run.flow.request).payload);
  return { ...memory, received };
}

const target = (service: string) => ({ fact: 'target' as const, path: '$.service', operator: 'equal', value: service });
const enforcing = architectures.filter((architecture) => architecture !== 'none');
const cases = enforcing.flatMap((architecture) => styles.map((style) => [architecture, style] as const));

describe.each(cases)('under %s, %s style', (architecture, style) => {
  const enforcement = { architecture, style, routers: 2 };

  it('a request has the categories of its fields, whether or not it names them', async () => {
    const health = { fact: 'request' as const, path: '$.categories', operator: 'contains', value: 'health' };
    const rules = [{ id: 'no-health', when: { all: [health, target('svc-2')] }, effect: 'deny' as const }];
    const { send } = await recorded({ nodes, services: [{ generate: 3 }], enforcement }, rules);
    for (const [categories, category, outcome] of [
      [[], 'health', 'refused'],
      [['personal'], 'health', 'refused'],
      [['health'], 'none', 'refused'],
      [[], 'none', 'completed'],
    ] as const) {
      const given = {
        ...request,
        categories: [...categories],
        payload: { d: 'flu' },
        fieldCategories: { d: category },
      };
      expect(await send(given)).toMatchObject({ outcome });
    }
  });

  it('a redaction changes the copy for its target alone, and pseudonyms are the same throughout a run', async () => {
    const redact = { remove: ['/card'], pseudonymise: ['/customer'] };
    const { send, received } = await recorded(
      { nodes, services: [{ generate: 4 }], enforcement },
      ['svc-1', 'svc-4'].map((name) => ({ id: `hide-${name}`, when: target(name), effect: 'redact' as const, redact })),
    );
    expect((await send(request)).steps.map(({ effect, rule }) => [effect, rule])).toEqual([
      ['redact', 'hide-svc-1'],
      ['allow', undefined],
      ['allow', undefined],
      ['redact', 'hide-svc-4'],
    ]);
    const [first, second, third, fourth] = ['svc-1', 'svc-2', 'svc-3', 'svc-4'].map((name) => received(name)[0]);
    expect([second, third]).toEqual([payload, payload]);
    expect(first).toEqual({ customer: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(fourth).toEqual(first);
  });

  it('a denial stops all later calls and names the rule and the service', async () => {
    const { send, received } = await recorded({ nodes, services: [{ generate: 3 }], enforcement }, [
      { id: 'no', when: target('svc-2'), effect: 'deny' },
    ]);
    expect(await send(request)).toMatchObject({ outcome: 'refused', rule: 'no', service: 'svc-2' });
    expect(['svc-1', 'svc-2', 'svc-3'].map((name) => received(name).length)).toEqual([1, 0, 0]);
  });

  it('the default effect alone refuses without naming a rule', async () => {
    const { send, received } = await recorded(
      { services: [{ generate: 2 }], enforcement },
      [{ id: 'first', when: target('svc-1'), effect: 'allow' }],
      { default: 'deny' },
    );
    const { rule, service, steps } = await send(request);
    expect([rule, service]).toEqual([undefined, 'svc-2']);
    expect(steps).toEqual([
      { service: 'svc-1', effect: 'allow', rule: 'first' },
      { service: 'svc-2', effect: 'deny' },
    ]);
    expect(received('svc-2')).toEqual([]);
  });

  it('a reroute applies the rules of the alternative, withholds the same data, and resumes the flow', async () => {
    const { send, received } = await recorded(
      { nodes, services: [{ generate: 3 }, { name: 'other', role: 'alternative', node: 'b' }], enforcement },
      [
        { id: 'away', when: target('svc-2'), effect: 'reroute', to: 'other' },
        { id: 'no-card', when: target('svc-2'), effect: 'redact', redact: { remove: ['/card'] } },
        { id: 'no-name', when: target('other'), effect: 'redact', redact: { pseudonymise: ['/customer'] } },
      ],
    );
    const { outcome, steps } = await send({ ...request, payload: { ...payload, note: 'n' } });
    expect(outcome).toBe('completed');
    expect(steps.map(({ service, effect, rule }) => [service, effect, rule])).toEqual([
      ['svc-1', 'allow', undefined],
      ['svc-2', 'reroute', 'away'],
      ['other', 'redact', 'no-name'],
      ['svc-3', 'allow', undefined],
    ]);
    expect(received('svc-2')).toEqual([]);
    expect(received('other')).toEqual([{ customer: expect.stringMatching(/^[0-9a-f]{64}$/), note: 'n' }]);
    expect(received('svc-3')).toEqual([{ ...payload, note: 'n' }]);
  });

  it('a second reroute of a step is a denial', async () => {
    const { send, received } = await recorded(
      {
        services: [{ generate: 1 }, { name: 'other', role: 'alternative' }, { name: 'third', role: 'alternative' }],
        enforcement,
      },
      [
        { id: 'away', when: target('svc-1'), effect: 'reroute', to: 'other' },
        { id: 'further', when: target('other'), effect: 'reroute', to: 'third' },
      ],
    );
    const { outcome, rule, service, steps } = await send(request);
    expect([outcome, rule, service]).toEqual(['refused', 'further', 'other']);
    expect(steps.map(({ effect }) => effect)).toEqual(['reroute', 'deny']);
    expect(['svc-1', 'other', 'third'].flatMap(received)).toEqual([]);
  });

  it('a branch has the steps before the fork and its own, not those of other branches', async () => {
    const after = (seen: string) => ({ fact: 'flow' as const, path: '$.services', operator: 'contains', value: seen });
    const { send } = await recorded(
      {
        services: ['s1', 's2', 's3', 's4', 's5'].map((name) => ({ name })),
        flow: ['s1', [['s2', 's3'], 's4'], 's5'],
        enforcement,
      },
      [
        { id: 's1-before-fork', when: { all: [target('s4'), after('s1')] }, effect: 'allow' },
        { id: 's2-beside', when: { all: [target('s4'), after('s2')] }, effect: 'deny' },
        { id: 's4-beside', when: { all: [target('s3'), after('s4')] }, effect: 'deny' },
        { id: 's2-in-branch', when: { all: [target('s3'), after('s2')] }, effect: 'allow' },
        { id: 'both-after', when: { all: [target('s5'), after('s3'), after('s4')] }, effect: 'allow' },
      ],
    );
    expect((await send(request)).steps.map(({ service, rule }) => [service, rule])).toEqual([
      ['s1', undefined],
      ['s2', undefined],
      ['s3', 's2-in-branch'],
      ['s4', 's1-before-fork'],
      ['s5', 'both-after'],
    ]);
  });

  it('a group finishes despite refusals in branches, and the first refusal in file order is named', async () => {
    const names = ['s1', 's2', 's3', 's4', 's5'];
    const { send, received } = await recorded(
      { services: names.map((name) => ({ name })), flow: [['s1', ['s2', 's3'], 's4'], 's5'], enforcement },
      ['s3', 's1'].map((name) => ({ id: `no-${name}`, when: target(name), effect: 'deny' as const })),
    );
    const { outcome, rule, service, steps } = await send(request);
    expect([outcome, rule, service]).toEqual(['refused', 'no-s1', 's1']);
    expect(steps.map((step) => [step.service, step.effect])).toEqual([
      ['s1', 'deny'],
      ['s2', 'allow'],
      ['s3', 'deny'],
      ['s4', 'allow'],
    ]);
    expect(names.map((name) => received(name).length)).toEqual([0, 1, 0, 1, 0]);
  });

  it.each([
    ['were not given', () => ({ rules: undefined })],
    [
      'cannot be read',
      () => ({ rules: { default: 'allow', conditions: {}, rules: [{ index: 0, id: 'x', when: 7 }] } }),
    ],
    [
      'are held for other targets',
      ({ kind }: RoleConfig) => (kind === 'gateway' || kind === 'service' ? {} : { responsibleFor: [] }),
    ],
  ])('rules that %s allow nothing through', async (_what, change) => {
    const { send, received } = await recorded({ services: [{ generate: 2 }], enforcement }, [], {
      change: change as unknown as TestMemoryOptions['change'] & object,
    });
    expect((await send(request)).error).toMatch(/^no-rules:(central-entity|router-1|svc-1-sidecar)$/);
    expect(['svc-1', 'svc-2'].flatMap(received)).toEqual([]);
  });

  it('an empty rule set decides by its default effect', async () => {
    const { send } = await recorded({ services: [{ generate: 2 }], enforcement }, []);
    expect((await send(request)).outcome).toBe('completed');
  });

  it('exposure is what was refused and had reached the node of the target, computed by hand', async () => {
    // a: gateway, svc-1, svc-2 · b: svc-3, svc-4. The card may not reach svc-1 nor svc-2; svc-3 may have nothing.
    const { send } = await recorded(
      { nodes, services: [{ generate: 4 }], enforcement: { architecture, style, routers: 4 } },
      [
        { id: 'no-card-first', when: target('svc-1'), effect: 'redact', redact: { remove: ['/card'] } },
        { id: 'no-card', when: target('svc-2'), effect: 'redact', redact: { remove: ['/card'] } },
        { id: 'nothing', when: target('svc-3'), effect: 'deny' },
      ],
    );
    const { outcome, service, exposureBytes } = await send(request);
    expect([outcome, service]).toEqual(['refused', 'svc-3']);
    // On node a the gateway holds the data: the card is exposed at both steps. The router or sidecar of svc-3 stands
    // with it on node b, the central entity does not.
    const card = 2 * 4;
    expect(exposureBytes).toEqual(
      architecture === 'central-entity' ? { payment: card } : { payment: card + 4, personal: 3 },
    );
  });
});
