import type { Decision } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import type { Style } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { type FlowEffect, type FlowMessage, FlowRun, flowRole, HopFailure, receiveFlow } from '../src/index.ts';
import { rolesOf, type TestRole } from './fixtures/roles.ts';
import { stateOf } from './state.ts';

// The sidecars of s1 and s2 stand on different nodes.
function roleNamed(name: string, style: Style = 'forward') {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'run' },
    nodes: [
      { name: 'a', region: 'eu' },
      { name: 'b', region: 'us' },
    ],
    services: [
      { name: 's1', node: 'a' },
      { name: 's2', node: 'b' },
      { name: 'x', node: 'b', role: 'alternative' },
    ],
    flow: ['s1', 's2'],
    enforcement: { architecture: 'sidecar', style },
    deadlines: { hop: '5s', request: '30s' },
  });
  const config = rolesOf(graph).find((one) => one.name === name) as TestRole;
  // Peers that only rules would add.
  return flowRole(
    { ...config, peers: { ...config.peers, 'x-sidecar': { node: 1, maxConnections: 64 } } },
    keyedHashing(config.secrets),
  );
}

const message = (at: number, parts: Partial<FlowMessage> = {}): FlowMessage => ({
  state: stateOf({ at, hops: 1 }),
  leftUs: 30_000_000,
  from: 0,
  request: { class: '', origin: '', categories: [], consents: [], purpose: '', payload: { card: '4000', name: 'Ada' } },
  fieldCategories: { card: 'payment', name: 'personal' },
  ...parts,
});
const allow: Decision = {
  ...{ effect: 'allow', rule: undefined, ruleIndex: -1, rules: [], remove: [], pseudonymise: [], to: undefined },
};
const digests = { card: 'c', name: 'n' };

function runOf(role: string, { style, ...parts }: Partial<FlowMessage> & { style?: Style } = {}, at = 0): FlowRun {
  const own = roleNamed(role, style);
  return new FlowRun(own, receiveFlow(message(at, parts), own, 1000));
}
const kinds = (effect: FlowEffect): unknown[] => [effect.kind, 'crossing' in effect ? effect.crossing.to : undefined];

describe('a step', () => {
  it('is decided before the service is called, and the flow continues at the next executor', () => {
    const run = runOf('s1-sidecar');
    expect(run.start(1000)).toEqual({ kind: 'decide', service: 0 });
    const call = run.decided(allow, 1010);
    expect(call).toEqual({ kind: 'call', service: 0, crossing: { to: 's1', node: 0, hop: 2 }, redacted: undefined });
    const forward = run.delivered(digests, 2000);
    expect(forward).toEqual({ kind: 'forward', crossing: { to: 's2-sidecar', node: 1, hop: 3 } });
    expect(run.flow.state).toMatchObject({ at: 1, done: 1, hops: 3, hopsBetweenNodes: 1, steps: [0, 0, -1] });
    expect(run.forwarded('s2-sidecar', undefined)).toEqual({ kind: 'handed-over', to: 's2-sidecar' });
  });

  it('that is refused ends the flow, with a report to the gateway', () => {
    const run = runOf('s1-sidecar');
    run.start(1000);
    const end = run.decided({ ...allow, effect: 'deny', ruleIndex: 4 }, 1010);
    expect(kinds(end)).toEqual(['report', 'gateway']);
    expect(end).toMatchObject({ outcome: { verdict: { kind: 'refused', service: 0, rule: 4 } } });
    // The sidecar stands with its service: all that was refused had reached the node.
    expect(run.flow.state.exposureBytes).toEqual({ payment: 4, personal: 3 });
    expect(run.recorded).toBe('deny');
  });

  it('that is decided too late is an error of the role, and no decision', () => {
    const run = runOf('s1-sidecar');
    run.start(1000);
    expect(run.decided(allow, 1000 + 5_000_001)).toMatchObject({
      outcome: { verdict: { error: 'deadline:s1-sidecar' } },
    });
    expect([run.recorded, run.flow.state.steps]).toEqual([undefined, []]);
  });

  it('is not begun when the time of the flow is over', () => {
    const run = runOf('s1-sidecar', { leftUs: 500 });
    expect(run.start(1499)).toMatchObject({ kind: 'decide' });
    expect(run.start(1500)).toMatchObject({ kind: 'report', outcome: { verdict: { error: 'deadline:s1-sidecar' } } });
  });
});

describe('a detour', () => {
  it('goes to the alternative with the redactions of both, and returns to the instruction after the step', () => {
    const first = runOf('s1-sidecar');
    first.start(1000);
    const away = first.decided({ ...allow, effect: 'reroute', to: 'x', remove: ['/card'], ruleIndex: 1 }, 1010);
    expect(kinds(away)).toEqual(['forward', 'x-sidecar']);
    expect(first.flow.state).toMatchObject({
      at: 0,
      done: 1,
      detour: { service: 2, remove: ['/card'], pseudonymise: [] },
    });

    const second = runOf('x-sidecar', { state: first.flow.state });
    expect(second.start(1000)).toEqual({ kind: 'decide', service: 2 });
    const call = second.decided({ ...allow, effect: 'redact', pseudonymise: ['/name', '/card'], ruleIndex: 2 }, 1010);
    expect(call).toMatchObject({
      kind: 'call',
      service: 2,
      redacted: { payload: { name: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(Object.keys((call as Extract<FlowEffect, { kind: 'call' }>).redacted?.payload ?? {})).toEqual(['name']);
    expect(kinds(second.delivered(digests, 1020))).toEqual(['forward', 's2-sidecar']);
    expect(second.flow.state).toMatchObject({ at: 1, done: 2, steps: [0, 3, 1, 2, 2, 2] });
    expect(second.flow.state.detour).toBeUndefined();
    expect(second.flow.visited.services).toEqual(['x']);
  });

  it('keeps the pseudonyms of the first target at an alternative that needs none', () => {
    const first = runOf('s1-sidecar');
    first.start(1000);
    first.decided({ ...allow, effect: 'reroute', to: 'x', pseudonymise: ['/name'], ruleIndex: 1 }, 1010);
    const second = runOf('x-sidecar', { state: first.flow.state });
    second.start(1000);
    expect(second.decided(allow, 1010)).toMatchObject({
      redacted: { payload: { card: '4000', name: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
  });

  it('to a further detour is a denial by the rule of the second one', () => {
    const detour = { service: 2, remove: [], pseudonymise: [] };
    const run = runOf('x-sidecar', { state: stateOf({ at: 0, detour }) });
    run.start(1000);
    const end = run.decided({ ...allow, effect: 'reroute', to: 's2', ruleIndex: 7 }, 1010);
    expect(end).toMatchObject({ outcome: { verdict: { kind: 'refused', service: 2, rule: 7 } } });
  });
});

describe('the end of a flow', () => {
  it('is answered in nested style, over the link on which the message came', () => {
    const run = runOf('s2-sidecar', { style: 'nested' }, 1);
    run.start(1000);
    run.decided(allow, 1010);
    const end = run.delivered(digests, 1020);
    expect(end).toMatchObject({
      kind: 'answer',
      back: { node: 0, hop: 1 },
      outcome: { verdict: { kind: 'completed' } },
    });
  });

  it('names the hop that failed', () => {
    const run = runOf('s1-sidecar');
    run.start(1000);
    run.decided(allow, 1010);
    const failed = run.failed(new HopFailure('unreachable', 's1', 's1 is down'));
    expect(failed).toMatchObject({
      outcome: { verdict: { kind: 'error', error: 'unreachable:s1', message: 's1 is down' } },
    });
    expect(runOf('s1-sidecar').failed(new Error('odd'))).toMatchObject({
      outcome: { verdict: { error: 'internal:s1-sidecar' } },
    });
  });
});
