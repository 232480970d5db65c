/**
 * `checkSplits` against the rule engine: parts as they are deployed decide alike, and where the check finds a request
 * on which a mutilated part differs, the engine differs on it too. Where it proves equality, random requests agree.
 */
import type { ExpandedRule, Facts, RuleSet, TargetFacts } from '@topo-bench/core';
import type { RulesFile } from '@topo-bench/core/schema/rules';
import { checkSplits, type Split } from '@topo-bench/oracle';
import { createRuleEngine, partitionRules } from '@topo-bench/rule-engine';
import { expandRules, graphOf as loadedGraph, targetFacts } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../packages/oracle/test/fixtures/graphs.ts';
import { ruleSetArbitrary, stepArbitrary } from '../packages/rule-engine/test/fixtures/rule-set-arbitrary.ts';

const names = ['svc-1', 'svc-2'];
const targets: TargetFacts[] = [
  { service: 'svc-1', node: 'eu', region: 'EU', tags: [] },
  { service: 'svc-2', node: 'us', region: 'US', tags: ['a'] },
];

function fileOf({ default: fallback, conditions, rules }: RuleSet, forEach: readonly boolean[]): RulesFile {
  return {
    ...{ apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'random', default: fallback, conditions, examples: [] },
    rules: rules.map(({ id, priority, when, effect, remove, pseudonymise, to }, i) => ({
      ...{ id, priority, when, effect, to },
      ...(effect === 'redact' && { redact: { remove, pseudonymise } }),
      ...(forEach[i] && { forEach: 'services' as const }),
    })),
  };
}

function worldOf(file: RulesFile) {
  const graph = graphOf({ flow: names, nodes: { 'svc-2': 'us' }, tags: { 'svc-2': ['a'] }, rules: file });
  const whole = expandRules(
    file,
    names.map((name) => ({ name })),
  );
  const sidecars = targets.map((target) => ({
    point: `${target.service}-sidecar`,
    targets: [target.service],
    rules: partitionRules(whole, [target]),
  }));
  const central = { point: 'central-entity', targets: names, rules: whole };
  const splits: Split[] = [
    { name: 'central-entity', points: [central] },
    { name: 'sidecar', points: sidecars },
  ];
  return { graph, whole, sidecars, splits };
}

const anyFile = fc
  .tuple(ruleSetArbitrary, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }))
  .map(([set, each]) => fileOf(set, each));

describe('parts of random rule sets', () => {
  it('decide alike as they are deployed', () => {
    fc.assert(
      fc.property(anyFile, (file) => {
        const { graph, splits } = worldOf(file);
        expect(checkSplits(graph, splits).differences).toEqual([]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('without one of their rules differ on the request that the check prints, and on none where it proves equality', async () => {
    const found = { example: 0, unproved: 0, alike: 0 };
    await fc.assert(
      fc.asyncProperty(
        anyFile,
        fc.nat(),
        fc.nat(1),
        fc.array(stepArbitrary, { minLength: 20, maxLength: 20 }),
        async (file, drop, at, steps) => {
          const { graph, whole, sidecars } = worldOf(file);
          const target = targets[at] as TargetFacts;
          const { rules: own } = sidecars[at] as (typeof sidecars)[number];
          const kept = own.rules.filter((_, i) => i !== drop % Math.max(1, own.rules.length));
          const part: RuleSet = { ...own, rules: kept as ExpandedRule[] };
          const mutilated = { point: 'mutilated', targets: [target.service], rules: part };
          const { differences } = checkSplits(graph, [{ name: 'sidecar', points: [mutilated] }]);
          const [wholeEngine, partEngine] = [
            await createRuleEngine('compiled', whole, targets),
            await createRuleEngine('compiled', part, [target]),
          ];
          const example = differences[0]?.example;
          if (example) {
            found.example++;
            expect(await partEngine.decide(example.facts)).not.toEqual(await wholeEngine.decide(example.facts));
          } else if (differences.length > 0) found.unproved++;
          else {
            found.alike++;
            for (const step of steps) {
              const facts = { ...step, target } as Facts;
              expect(await partEngine.decide(facts)).toEqual(await wholeEngine.decide(facts));
            }
          }
        },
      ),
      { numRuns: 600, seed: 2 },
    );
    // Without these the property would be about nothing.
    expect(found.example).toBeGreaterThan(200);
    expect(found.alike).toBeGreaterThan(5);
    // Many random conditions can never be met, e.g. an order of lists.
    expect(found.unproved).toBeLessThan(found.example);
  });
});

it('a part with another effect, default or unknown rule differs', () => {
  const file = fileOf({ default: 'allow', conditions: {}, rules: [] }, []);
  const rule = {
    ...{ id: 'us-stays-out', priority: 1, effect: 'deny', to: undefined },
    when: { fact: 'request', path: '$.origin', operator: 'equal', value: 'us' },
  } as RulesFile['rules'][number];
  const { graph, whole } = worldOf({ ...file, rules: [rule] });
  const differenceOf = (rules: RuleSet) =>
    checkSplits(graph, [{ name: 's', points: [{ point: 'p', targets: names, rules }] }]).differences[0];
  const [own] = whole.rules as [ExpandedRule];
  const changed = differenceOf({ ...whole, rules: [{ ...own, effect: 'allow' }] });
  expect(changed).toMatchObject({ rule: 'us-stays-out', problem: 'differs', service: 'svc-1' });
  expect(changed?.example?.facts.request.origin).toBe('us');
  expect([changed?.example?.whole.effect, changed?.example?.part.effect]).toEqual(['deny', 'allow']);
  expect(differenceOf({ ...whole, default: 'deny' })).toMatchObject({ problem: 'differs' });
  expect(differenceOf({ ...whole, rules: [own, { ...own, index: 1, id: 'more' }] })).toMatchObject({
    ...{ problem: 'superfluous', rule: 'more' },
  });
  expect(differenceOf(whole)).toBeUndefined();
});

/** Checks every number of routers. @returns its processor time in µs */
function checkMany(count: number): number {
  const services = Array.from({ length: 12 }, (_, i) => ({ name: `s-${i}`, node: i % 2 ? 'us-1' : 'eu-1' }));
  const rules = Array.from({ length: count }, (_, i) => ({
    ...{ id: `r-${i}`, effect: 'deny' as const, priority: 1 + (i % 7) },
    when: {
      all: [
        { fact: 'target' as const, path: '$.service', operator: 'equal', value: `s-${i % 12}` },
        { fact: 'request' as const, path: '$.categories', operator: 'contains', value: `c-${i}` },
      ],
    },
  }));
  const graph = loadedGraph(
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'wide', services },
      nodes: [
        { name: 'eu-1', region: 'eu' },
        { name: 'us-1', region: 'us' },
      ],
    },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'many', rules },
  );
  const parts = services.map(({ name }, index) => ({
    name,
    rules: partitionRules(graph.rules, [targetFacts(graph, index)]).rules,
  }));
  const inRuns = (k: number) =>
    Array.from({ length: k }, (_, run) => parts.filter((_part, i) => Math.floor((i * k) / parts.length) === run));
  const splits: Split[] = parts.map((_, i) => ({
    name: `k = ${i + 1}`,
    points: inRuns(i + 1).map((run, point) => ({
      point: `router-${point + 1}`,
      targets: run.map(({ name }) => name),
      rules: { ...graph.rules, rules: run.flatMap(({ rules: own }) => own) },
    })),
  }));
  const before = process.cpuUsage();
  const { differences, proved } = checkSplits(graph, splits);
  const { user, system } = process.cpuUsage(before);
  expect([differences, proved]).toEqual([[], count * 11]);
  return user + system;
}

it('5000 rules for 12 services are checked in a time that grows with their number, and not with its square', () => {
  checkMany(500);
  const fewUs = checkMany(1250);
  // Linear: 4 times. The square: 16 times.
  expect(checkMany(5000)).toBeLessThan(9 * fewUs);
});
