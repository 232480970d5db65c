import type { RoleConfig } from '@topo-bench/core';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type DeployOptions,
  deploy,
  type RuleParts,
  type TestDeployment,
  type TopologyParts,
  testGraph,
} from '../fixtures/deployment.ts';
import { type RecordingService, recordingService } from '../recording-service.ts';

let closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

/** Deploys with services that keep what they get. */
async function recorded(
  topology: TopologyParts,
  rules: RuleParts,
  options: DeployOptions = {},
): Promise<{ deployment: TestDeployment; services: Record<string, RecordingService> }> {
  const graph = testGraph(topology, rules);
  const services: Record<string, RecordingService> = {};
  for (const { name } of graph.services) services[name] = await recordingService();
  const standIns = Object.fromEntries(Object.entries(services).map(([name, { url }]) => [name, url]));
  const deployment = await deploy(graph, { ...options, standIns });
  closing.push(() => deployment.close(), ...Object.values(services).map(({ close }) => close));
  return { deployment, services };
}

const target = (service: string) => ({ fact: 'target' as const, path: '$.service', operator: 'equal', value: service });
// What rules mean under each architecture and style is tested in memory. These show that HTTP carries it.
const cases = [
  ['dynamic-router', 'forward'],
  ['sidecar', 'nested'],
] as const;
const nodes = [
  { name: 'a', region: 'eu' },
  { name: 'b', region: 'us' },
];
const payload = { customer: 'Ada', card: '4000' };
const fieldCategories = { customer: 'personal', card: 'payment' };

describe.each(cases)('under %s, %s style', (architecture, style) => {
  const enforcement = { architecture, style, routers: 2 };

  it('a redaction changes the copy for its target alone, and pseudonyms are the same throughout a run', async () => {
    const redact = { remove: ['/card'], pseudonymise: ['/customer'] };
    const { deployment, services } = await recorded(
      { nodes, services: [{ generate: 4 }], enforcement },
      {
        rules: ['svc-1', 'svc-4'].map((name) => ({
          id: `hide-${name}`,
          when: target(name),
          effect: 'redact' as const,
          redact,
        })),
      },
    );
    const { body } = await deployment.send({ payload, fieldCategories });
    expect(body.steps.map(({ effect, rule }) => [effect, rule])).toEqual([
      ['redact', 'hide-svc-1'],
      ['allow', undefined],
      ['allow', undefined],
      ['redact', 'hide-svc-4'],
    ]);
    const got = ['svc-1', 'svc-2', 'svc-3', 'svc-4'].map((name) => services[name]?.received[0]?.request.payload);
    expect(got[1]).toEqual(payload);
    expect(got[2]).toEqual(payload);
    expect(got[0]).toEqual({ customer: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(got[3]).toEqual(got[0]);
  });

  it('a denial stops all later calls and names the rule and the service', async () => {
    const { deployment, services } = await recorded(
      { nodes, services: [{ generate: 3 }], enforcement },
      { rules: [{ id: 'no', when: target('svc-2'), effect: 'deny' }] },
    );
    const { status, body } = await deployment.send();
    expect(status).toBe(451);
    expect(body).toMatchObject({ outcome: 'refused', rule: 'no', service: 'svc-2' });
    expect(Object.values(services).map(({ received }) => received.length)).toEqual([1, 0, 0]);
  });

  it('a reroute applies the rules of the alternative, withholds the same data, and resumes the flow', async () => {
    const { deployment, services } = await recorded(
      { nodes, services: [{ generate: 3 }, { name: 'other', role: 'alternative', node: 'b' }], enforcement },
      {
        rules: [
          { id: 'away', when: target('svc-2'), effect: 'reroute', to: 'other' },
          { id: 'no-card', when: target('svc-2'), effect: 'redact', redact: { remove: ['/card'] } },
          { id: 'no-name', when: target('other'), effect: 'redact', redact: { pseudonymise: ['/customer'] } },
        ],
      },
    );
    const { status, body } = await deployment.send({ payload: { ...payload, note: 'n' }, fieldCategories });
    expect(status).toBe(200);
    expect(body.steps.map(({ service, effect, rule }) => [service, effect, rule])).toEqual([
      ['svc-1', 'allow', undefined],
      ['svc-2', 'reroute', 'away'],
      ['other', 'redact', 'no-name'],
      ['svc-3', 'allow', undefined],
    ]);
    expect(services['svc-2']?.received).toEqual([]);
    expect(services.other?.received[0]?.request.payload).toEqual({
      customer: expect.stringMatching(/^[0-9a-f]{64}$/),
      note: 'n',
    });
    expect(services['svc-3']?.received[0]?.request.payload).toEqual({ ...payload, note: 'n' });
  });

  it('a group finishes despite refusals in branches, and the first refusal in file order is named', async () => {
    const { deployment, services } = await recorded(
      {
        services: ['s1', 's2', 's3', 's4', 's5'].map((name) => ({ name })),
        flow: [['s1', ['s2', 's3'], 's4'], 's5'],
        enforcement,
      },
      { rules: ['s3', 's1'].map((name) => ({ id: `no-${name}`, when: target(name), effect: 'deny' as const })) },
    );
    const { status, body } = await deployment.send();
    expect([status, body.rule, body.service]).toEqual([451, 'no-s1', 's1']);
    expect(body.steps.map(({ service, effect }) => [service, effect])).toEqual([
      ['s1', 'deny'],
      ['s2', 'allow'],
      ['s3', 'deny'],
      ['s4', 'allow'],
    ]);
    expect(['s1', 's2', 's3', 's4', 's5'].map((name) => services[name]?.received.length)).toEqual([0, 1, 0, 1, 0]);
  });

  it.each([
    ['were not given', (_: RoleConfig) => ({ rules: undefined })],
    [
      'cannot be read',
      (_: RoleConfig) => ({ rules: { default: 'allow', conditions: {}, rules: [{ index: 0, id: 'x', when: 7 }] } }),
    ],
    [
      'are held for other targets',
      (config: RoleConfig) => (config.kind === 'gateway' || config.kind === 'service' ? {} : { responsibleFor: [] }),
    ],
  ])('rules that %s allow nothing through', async (_what, change) => {
    const options = { change: change as unknown as DeployOptions['change'] };
    const { deployment, services } = await recorded(
      { services: [{ generate: 2 }], enforcement },
      { rules: [] },
      options as DeployOptions,
    );
    const { status, body } = await deployment.send();
    expect(status).toBe(503);
    expect(body.error).toMatch(/^no-rules:(central-entity|router-1|svc-1-sidecar)$/);
    expect(Object.values(services).flatMap(({ received }) => received)).toEqual([]);
  });
});

describe('exposure', () => {
  it('counts the member that an earlier permitted step withheld, not its whole field', async () => {
    const { deployment } = await recorded(
      { services: [{ generate: 2 }], enforcement: { architecture: 'sidecar' } },
      {
        rules: [
          { id: 'no-deeper', when: target('svc-1'), effect: 'redact', redact: { remove: ['/customer/deeper'] } },
          { id: 'late', when: target('svc-2'), effect: 'deny' },
        ],
      },
    );
    const exposure = async (customer: unknown) =>
      (await deployment.send({ payload: { customer }, fieldCategories })).body.exposureBytes;
    expect(await exposure('x'.repeat(32))).toEqual({});
    expect(await exposure({ name: 'Ada', deeper: 'x'.repeat(20) })).toEqual({ personal: 2 * 20 });
  });

  it('counts under categories and fields with the names of the prototype', async () => {
    const { deployment } = await recorded(
      { services: [{ generate: 1 }], enforcement: { architecture: 'sidecar' } },
      { rules: [{ id: 'no', when: target('svc-1'), effect: 'deny' }] },
    );
    const named = JSON.parse('{"customer":"constructor","card":"__proto__"}') as Record<string, string>;
    const { body } = await deployment.send({ payload, fieldCategories: named });
    expect(JSON.stringify(body.exposureBytes)).toBe('{"constructor":3,"__proto__":4}');
  });

  it('is 0 where a permitted step has already delivered the data', async () => {
    const { deployment } = await recorded(
      { services: [{ generate: 2 }], enforcement: { architecture: 'sidecar' } },
      { rules: [{ id: 'late', when: target('svc-2'), effect: 'deny' }] },
    );
    expect((await deployment.send({ payload, fieldCategories })).body.exposureBytes).toEqual({});
  });
});
