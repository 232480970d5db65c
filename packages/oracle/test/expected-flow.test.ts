import { describe, expect, it } from 'vitest';
import { createOracle } from '../src/oracle.ts';
import { always, at, type GraphOptions, graphOf, inShort, requestOf, ruleList } from './fixtures/graphs.ts';

const flowOf = (options: GraphOptions, request = requestOf()) => {
  const { steps, outcome, refusal } = createOracle(graphOf(options)).expectedFlow(request);
  return { steps: inShort(steps), outcome, refusal };
};

describe('the expected flow', () => {
  it('of a chain without rules allows every step in order and completes', () => {
    expect(flowOf({ flow: ['a', 'b', 'c'] })).toEqual({
      steps: ['a allow', 'b allow', 'c allow'],
      outcome: 'completed',
      refusal: undefined,
    });
  });

  it('decides by the categories of fields, whether or not the request names them', () => {
    const health = { fact: 'request' as const, path: '$.categories', operator: 'contains', value: 'health' };
    const oracle = createOracle(
      graphOf({ flow: ['a'], rules: { rules: ruleList({ id: 'no-health', when: health, effect: 'deny' }) } }),
    );
    // One oracle keeps the flows of equal requests.
    const outcomes = ['none', 'health', 'personal'].map(
      (category) => oracle.expectedFlow(requestOf({ categories: [], fieldCategories: { note: category } })).outcome,
    );
    expect(outcomes).toEqual(['completed', 'refused', 'completed']);
  });

  it('under none has no steps and completes under any rules', () => {
    const rules = { rules: ruleList({ id: 'no', when: always, effect: 'deny' }) };
    expect(flowOf({ flow: ['a'], rules, architecture: 'none' })).toEqual({
      steps: [],
      outcome: 'completed',
      refusal: undefined,
    });
  });

  it('ends at a denial, which it names, also when the default effect denies', () => {
    const rules = { rules: ruleList({ id: 'no-b', when: at('b'), effect: 'deny' }) };
    expect(flowOf({ flow: ['a', 'b', 'c'], rules })).toEqual({
      steps: ['a allow', 'b deny by no-b'],
      outcome: 'refused',
      refusal: { rule: 'no-b', service: 'b' },
    });
    expect(flowOf({ flow: ['a', 'b'], rules: { default: 'deny' } })).toEqual({
      steps: ['a deny'],
      outcome: 'refused',
      refusal: { rule: undefined, service: 'a' },
    });
  });

  it('gives later steps the path of the data: services by visit, regions once, refused targets not', () => {
    const seen = (id: string, path: string, value: unknown) => ({
      id,
      effect: 'allow' as const,
      when: { fact: 'flow' as const, path, operator: 'equal', value },
    });
    const rules = {
      rules: ruleList(
        { id: 'away', when: at('b'), effect: 'reroute', to: 'b2' },
        seen('second-is-b2', '$.services[1]', 'b2'),
        seen('two-regions', '$.regions.length', 2),
      ),
    };
    const nodes = { a: 'eu', b: 'in', b2: 'us', c: 'eu' };
    expect(flowOf({ flow: ['a', 'b', 'c', 'd'], alternatives: ['b2'], nodes, rules }).steps).toEqual([
      'a allow',
      'b reroute by away',
      'b2 allow',
      'c allow by second-is-b2',
      'd allow by second-is-b2',
    ]);
  });

  it('evaluates the alternative’s own rules after a reroute and resumes; a second reroute is a denial by that rule', () => {
    const options = (alternativeRule: Parameters<typeof ruleList>[0]): GraphOptions => ({
      flow: ['a', 'b'],
      alternatives: ['x', 'y'],
      rules: { rules: ruleList({ id: 'go', when: at('a'), effect: 'reroute', to: 'x' }, alternativeRule) },
    });
    expect(flowOf(options({ id: 'hide', when: at('x'), effect: 'redact', remove: ['/card'] })).steps).toEqual([
      'a reroute by go',
      'x redact by hide',
      'b allow',
    ]);
    expect(flowOf(options({ id: 'no', when: at('x'), effect: 'deny' }))).toEqual({
      steps: ['a reroute by go', 'x deny by no'],
      outcome: 'refused',
      refusal: { rule: 'no', service: 'x' },
    });
    expect(flowOf(options({ id: 'again', when: at('x'), effect: 'reroute', to: 'y' }))).toEqual({
      steps: ['a reroute by go', 'x deny by again'],
      outcome: 'refused',
      refusal: { rule: 'again', service: 'x' },
    });
  });

  it('starts each branch of a group from the fork, merges in file order, and continues', () => {
    const sawB = { fact: 'flow' as const, path: '$.services', operator: 'contains', value: 'b' };
    const rules = { rules: ruleList({ id: 'after-b', when: sawB, effect: 'allow' }) };
    expect(flowOf({ flow: ['a', [['b', 'b2'], 'c'], 'd'], rules }).steps).toEqual([
      'a allow',
      'b allow',
      'b2 allow by after-b',
      'c allow',
      'd allow by after-b',
    ]);
    const order = (...names: string[]) => ({
      all: names.map((value, i) => ({ fact: 'flow' as const, path: `$.services[${i}]`, operator: 'equal', value })),
    });
    const merged = { rules: ruleList({ id: 'in-order', when: order('a', 'b', 'b2', 'c'), effect: 'allow' }) };
    expect(flowOf({ flow: ['a', [['b', 'b2'], 'c'], 'd'], rules: merged }).steps.at(-1)).toBe('d allow by in-order');
  });

  it('contains after a group the regions of all its branches, in file order', () => {
    const regions = (...names: string[]) => ({
      all: names.map((value, i) => ({ fact: 'flow' as const, path: `$.regions[${i}]`, operator: 'equal', value })),
    });
    const rules = { rules: ruleList({ id: 'all-regions', when: regions('EU', 'US', 'IN'), effect: 'allow' }) };
    expect(
      flowOf({ flow: ['a', ['b', 'c', 'd'], 'e'], nodes: { b: 'us', c: 'in', d: 'us' }, rules }).steps.at(-1),
    ).toBe('e allow by all-regions');
  });

  it('finishes a group, nested groups too, then refuses by the first refusal in file order', () => {
    const denied = ['c', 'f'];
    const rules = {
      rules: ruleList(...denied.map((name) => ({ id: `no-${name}`, when: at(name), effect: 'deny' as const }))),
    };
    expect(flowOf({ flow: ['a', ['b', ['f', 'never'], ['d', ['c', 'e'], 'unreached']], 'after'], rules })).toEqual({
      steps: ['a allow', 'b allow', 'f deny by no-f', 'd allow', 'c deny by no-c', 'e allow'],
      outcome: 'refused',
      refusal: { rule: 'no-f', service: 'f' },
    });
  });

  it('is worked out anew for every payload when a rule reads payloads, and for every other fact always', () => {
    const denies = (path: string, value: unknown) =>
      createOracle(
        graphOf({
          flow: ['a'],
          rules: {
            rules: ruleList({ id: 'no', when: { fact: 'request', path, operator: 'equal', value }, effect: 'deny' }),
          },
        }),
      );
    const byPayload = denies('$.payload.email', 'bad');
    expect(byPayload.expectedFlow(requestOf()).outcome).toBe('completed');
    expect(byPayload.expectedFlow(requestOf({ payload: { email: 'bad' } })).outcome).toBe('refused');
    const changes = { class: 'x', origin: 'x', purpose: 'x' };
    for (const [member, value] of Object.entries(changes)) {
      const oracle = denies(`$.${member}`, value);
      expect(oracle.expectedFlow(requestOf()).outcome).toBe('completed');
      expect(oracle.expectedFlow(requestOf({ [member]: value })).outcome).toBe('refused');
    }
    for (const member of ['categories', 'consents'] as const) {
      const oracle = denies(`$.${member}[0]`, 'x');
      expect(oracle.expectedFlow(requestOf()).outcome).toBe('completed');
      expect(oracle.expectedFlow(requestOf({ [member]: ['x'] })).outcome).toBe('refused');
    }
  });
});
