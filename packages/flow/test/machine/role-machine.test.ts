import type { Decision, RoleConfig } from '@topo-bench/core';
import type { Style } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import {
  type FlowMessage,
  flowRole,
  gatewayAnswer,
  HopFailure,
  noCounts,
  type Outcome,
  type RoleEffect,
  RoleMachine,
} from '../../src/index.ts';
import { rolesOf, type TestRole } from '../fixtures/roles.ts';
import { stateOf } from '../state.ts';

type Effect = RoleEffect<string>;
type Of<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

const request = { class: '', origin: '', categories: [], consents: [], purpose: '', payload: { card: '4000' } };
const accepted = (id: string) => ({ id, request, fieldCategories: {} });
const allow: Decision = {
  ...{ effect: 'allow', rule: undefined, ruleIndex: -1, rules: [], remove: [], pseudonymise: [], to: undefined },
};
const completed = (id: string): Outcome => ({ state: stateOf({ id }), verdict: { kind: 'completed' } });
const message: FlowMessage = {
  state: stateOf({ at: 0, hops: 1 }),
  ...{ leftUs: 3_000_000, from: 0, request, fieldCategories: {} },
};

/** A machine whose effects are only recorded. Its hashes are tokens, as in a simulation. */
function machineOf(name: string, style: Style = 'forward', change: Partial<RoleConfig> = {}) {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'machine' },
    nodes: [
      { name: 'a', region: 'eu' },
      { name: 'b', region: 'us' },
    ],
    links: [{ from: 'a', to: 'b', delay: '7ms' }],
    services: ['s1', 's2', 's3'].map((service, i) => ({ name: service, node: i === 1 ? 'b' : 'a', work: '5ms' })),
    flow: ['s1', ['s2', 's3']],
    enforcement: { architecture: 'sidecar', style },
    deadlines: { hop: '1s', request: '3s' },
  });
  const config = rolesOf(graph).find((role) => role.name === name) as TestRole;
  const effects: Effect[] = [];
  const counts = noCounts();
  const hashing = { digests: () => ({ card: 'token' }), pseudonym: () => 'token' };
  const role = flowRole({ ...config, ...change }, hashing);
  const machine = new RoleMachine<string>(role, counts, (effect) => effects.push(effect));
  /** The only effect of a kind since the last call. */
  const taken = <Kind extends Effect['kind']>(kind: Kind): Of<Kind> => {
    const found = effects.filter((effect): effect is Of<Kind> => effect.kind === kind);
    expect(found, kind).toHaveLength(1);
    effects.length = 0;
    return found[0] as Of<Kind>;
  };
  const kinds = (): string[] => effects.splice(0).map(({ kind }) => kind);
  const answerOf = ({ outcome, rttUs, pastDeadline }: Of<'respond'>) =>
    gatewayAnswer(role.graph, outcome.state, outcome.verdict, rttUs, pastDeadline);
  return { machine, counts, effects, taken, kinds, answerOf };
}

describe('a gateway', () => {
  it('begins the flow of a request under its deadline, and cancels that with the answer', () => {
    const { machine, counts, taken, kinds, answerOf } = machineOf('gateway');
    expect(machine.request('client', accepted('one'), 1000)).toBe(true);
    expect(counts.inFlight).toBe(1);
    expect(taken('timer').timer).toMatchObject({ id: 'one', afterUs: 3_000_000 });
    machine.report('sidecar', completed('one'), 5000);
    expect(kinds()).toEqual(['acknowledge', 'cancel', 'respond']);
    machine.request('client', accepted('one'), 9000);
    kinds();
    machine.report('sidecar', completed('one'), 12_000);
    expect(answerOf(taken('respond'))).toMatchObject({ status: 200, response: { outcome: 'completed', rttUs: 3000 } });
    expect(counts).toMatchObject({ inFlight: 0, served: 2, ignoredReports: 0 });
  });

  it('refuses an id that is in flight, without an effect on the first request', () => {
    const { machine, counts, kinds, taken } = machineOf('gateway');
    machine.request('first', accepted('same'), 0);
    kinds();
    expect(machine.request('second', accepted('same'), 10)).toBe(false);
    expect(taken('refuse-duplicate')).toEqual({ kind: 'refuse-duplicate', reply: 'second', id: 'same' });
    machine.report('sidecar', completed('same'), 20);
    expect(taken('respond').reply).toBe('first');
    expect(counts.served).toBe(1);
    expect(machine.request('third', accepted('same'), 30)).toBe(true);
  });

  it('answers requests beyond its cap with an overload, until one in flight has ended', () => {
    const { machine, counts, kinds, taken, answerOf } = machineOf('gateway', 'forward', { inFlightCap: 2 });
    for (const id of ['a', 'b']) machine.request(id, accepted(id), 0);
    kinds();
    expect(machine.request('c', accepted('c'), 0)).toBe(false);
    const response = taken('respond');
    expect([response.reply, response.endedBy]).toEqual(['c', 'in-flight-cap']);
    expect(answerOf(response)).toMatchObject({
      status: 503,
      response: { id: 'c', error: 'overloaded:gateway', rttUs: 0, hops: 0 },
    });
    expect(counts).toMatchObject({ inFlight: 2, served: 0 });
    machine.report('sidecar', completed('a'), 10);
    expect(machine.request('c', accepted('c'), 20)).toBe(true);
  });

  it('ends a late request at its deadline, names the last hop that acknowledged it, and ignores its outcome', () => {
    const { machine, counts, kinds, taken, answerOf } = machineOf('gateway');
    machine.request('client', accepted('late'), 500);
    const { timer } = taken('timer');
    machine.expired(timer, 3_000_500);
    expect(taken('search')).toMatchObject({ request: { id: 'late' }, withinUs: 1_000_000 });
    // Its outcome is on the way while roles are asked.
    machine.report('sidecar', completed('late'), 3_000_600);
    expect([kinds(), counts.ignoredReports]).toEqual([['acknowledge'], 1]);
    machine.found(timer as Of<'search'>['request'], [
      ['s1-sidecar', { id: 'late', step: 1, acknowledgedBy: 's2-sidecar' }],
    ]);
    const response = taken('respond');
    expect(response.endedBy).toBe('deadline');
    expect(answerOf(response)).toMatchObject({
      status: 504,
      response: { error: 'deadline:s2-sidecar', pastDeadline: true, rttUs: 3_000_000, steps: [] },
    });
    expect(answerOf(response).response.message).toBe(
      'no outcome within 3000 ms; the last hop that acknowledged the request is s2-sidecar',
    );
    machine.report('sidecar', completed('late'), 4_000_000);
    expect(counts).toMatchObject({ inFlight: 0, served: 1, ignoredReports: 2 });
  });

  it('searches for four late requests at once, and names the hop of a further one by its own record', () => {
    const { machine, kinds, taken, answerOf } = machineOf('gateway');
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const timers = ids.map((id) => {
      machine.request(id, accepted(id), 0);
      return taken('timer').timer;
    });
    for (const timer of timers.slice(0, 4)) machine.expired(timer, 3_000_000);
    expect(kinds()).toEqual(['search', 'search', 'search', 'search']);
    machine.expired(timers[4] as (typeof timers)[number], 3_000_000);
    expect(answerOf(taken('respond')).response.error).toBe('deadline:gateway');
    machine.found(timers[0] as Of<'search'>['request'], []);
    kinds();
    machine.request('f', accepted('f'), 4_000_000);
    machine.expired(taken('timer').timer, 7_000_000);
    expect(kinds()).toEqual(['search']);
  });
});

describe('an enforcement point', () => {
  it('acknowledges a flow before its first decision in forward style', () => {
    const { machine, counts, kinds } = machineOf('s1-sidecar');
    machine.flow('gateway', structuredClone(message), 0);
    expect(kinds()).toEqual(['acknowledge', 'decide']);
    expect(counts).toMatchObject({ inFlight: 1, served: 0 });
  });

  it('answers a flow with its outcome in nested style, after the link back', () => {
    const { machine, counts, kinds, taken } = machineOf('s2-sidecar', 'nested');
    machine.flow('fork', { ...structuredClone(message), state: stateOf({ at: 2, join: 0, branch: 0 }) }, 0);
    machine.failed(taken('decide').task, new HopFailure('no-rules', 's2-sidecar', 'none'), 10);
    const { task, delayUs, outcome } = taken('answer');
    expect([task.reply, delayUs, outcome.verdict]).toMatchObject(['fork', 7000, { error: 'no-rules:s2-sidecar' }]);
    expect(counts.inFlight).toBe(1);
    machine.answered(task);
    expect(counts).toMatchObject({ inFlight: 0, served: 1 });
    expect(kinds()).toEqual([]);
  });

  it('is done with a flow when its report is lost', () => {
    const { machine, counts, kinds, taken } = machineOf('s1-sidecar');
    machine.flow('gateway', structuredClone(message), 0);
    machine.decided(taken('decide').task, { ...allow, effect: 'deny', ruleIndex: 0 }, 10);
    const { task, crossing } = taken('report');
    expect([crossing.to, counts.decisions.deny, counts.served]).toEqual(['gateway', 1, 0]);
    machine.failed(task, new HopFailure('unreachable', 'gateway', 'gone'), 20);
    expect([kinds(), counts.inFlight, counts.served]).toEqual([[], 0, 1]);
  });

  it('records the peers that acknowledge a flow', () => {
    const { machine, taken } = machineOf('s1-sidecar');
    machine.flow('gateway', structuredClone(message), 0);
    expect(machine.seen.find('x')).toEqual({ id: 'x', step: 0, acknowledgedBy: undefined });
    machine.decided(taken('decide').task, allow, 10);
    machine.delivered(taken('call').task, 's1', { card: 'token' }, 20);
    expect(machine.seen.find('x')).toMatchObject({ step: 1 });
  });

  it('turns a fault of its own into an error of the flow', () => {
    const { machine, taken } = machineOf('s1-sidecar');
    machine.flow('gateway', structuredClone(message), 0);
    machine.decided(taken('decide').task, { ...allow, effect: 'reroute', to: 'nowhere', ruleIndex: 0 }, 10);
    expect(taken('report').outcome.verdict).toMatchObject({ kind: 'error', error: 'internal:s1-sidecar' });
  });

  it('gives up branches that are away when the time of the request is over, and ignores their reports', () => {
    const { machine, counts, effects, taken } = machineOf('s1-sidecar');
    machine.flow('gateway', structuredClone(message), 0);
    machine.decided(taken('decide').task, allow, 10);
    machine.delivered(taken('call').task, 's1', { card: 'token' }, 1_000_000);
    expect(effects.map(({ kind }) => kind)).toEqual(['timer', 'forward', 'forward']);
    const [{ timer }, ...branches] = effects.splice(0) as [Of<'timer'>, Of<'forward'>, Of<'forward'>];
    expect([timer.afterUs, machine.openForks]).toEqual([2_000_000, 1]);
    for (const { task, crossing } of branches) machine.forwarded(task, crossing.to, undefined, 1_000_100);
    const ended = (branch: number): Outcome => ({
      state: structuredClone((branches[branch] as Of<'forward'>).task.run.flow.state),
      verdict: { kind: 'completed' },
    });
    machine.report('s3-sidecar', ended(1), 1_500_000);
    expect(effects.splice(0).map(({ kind }) => kind)).toEqual(['acknowledge', 'arrive']);
    machine.expired(timer, 3_000_000);
    expect(effects.map(({ kind }) => kind)).toEqual(['cancel', 'report']);
    expect(taken('report').outcome.verdict).toMatchObject({ kind: 'error', error: 'deadline:s2-sidecar' });
    machine.report('s2-sidecar', ended(0), 3_000_001);
    expect([machine.openForks, counts.ignoredReports]).toEqual([0, 1]);
  });
});

describe('a service', () => {
  it('digests a payload, works for its drawn time, and answers after the link back', () => {
    const { machine, counts, kinds, taken } = machineOf('s2');
    machine.work('sidecar', { id: 'x', from: 0, hop: 3, at: 0, request }, 0);
    const { task, us } = taken('work');
    expect([us, counts.inFlight, counts.served]).toEqual([5000, 1, 0]);
    machine.worked(task, 5000);
    const answer = taken('answer-work');
    expect([answer.delayUs, answer.task.reply, answer.task.delivered]).toEqual([7000, 'sidecar', { card: 'token' }]);
    machine.answered(task);
    expect([kinds(), counts.inFlight, counts.served]).toEqual([[], 0, 1]);
    expect(machine.seen.find('x')).toEqual({ id: 'x', step: 0, acknowledgedBy: undefined });
  });
  it('with retries works once for a step of a request, however often a call comes', () => {
    const { machine, effects, taken } = machineOf('s2', 'forward', { retries: { count: 3, afterUs: 1000, budget: 1 } });
    const ask = (caller: string, enteredUs = 0): void =>
      machine.work(caller, { id: 'x', from: 0, hop: 3, at: 0, enteredUs, request }, 0);
    ask('first');
    const { task } = taken('work');
    ask('while it works');
    machine.worked(task, 5000);
    ask('later');
    const answers = effects.splice(0).map((effect) => effect.kind === 'answer-work' && effect.task.reply);
    expect(answers).toEqual(['first', 'while it works', 'later']);
    // The id comes again, in another request.
    ask('another', 1);
    expect(taken('work').task).not.toBe(task);
  });
});
