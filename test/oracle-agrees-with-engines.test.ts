/**
 * The oracle and both rule engines were written apart from each other, and each reads rule files itself: `forEach`,
 * paths, operators and conditions. Where all three make the same decision from the same document, "0 wrong" in a report
 * is evidence. Checked on random documents and on the rule files that we ship.
 */
import { readdirSync, readFileSync } from 'node:fs';
import {
  type Decision,
  type Facts,
  type FlowFacts,
  parseRulePath,
  type RequestFacts,
  type TargetFacts,
  type TopoBenchError,
} from '@topo-bench/core';
import { type RulesFile, rulesFile } from '@topo-bench/core/schema/rules';
import { pathSteps, readRules, rightDecision } from '@topo-bench/oracle';
import { createRuleEngine } from '@topo-bench/rule-engine';
import { expandRules } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  ruleSetArbitrary,
  stepArbitrary,
  targetsArbitrary,
} from '../packages/rule-engine/test/fixtures/rule-set-arbitrary.ts';

/** The share of the random documents that `npm test` has. */
const share = process.env.LONG_SERIES ? 1 : 0.3;

/** The engines and the oracle with one document. @param services names of all services, in file order */
async function decidersOf(file: RulesFile, services: readonly string[], targets: readonly TargetFacts[]) {
  const rules = expandRules(
    file,
    services.map((name) => ({ name })),
  );
  const read = readRules(file, services);
  const compiled = await createRuleEngine('compiled', rules, targets);
  const library = await createRuleEngine('json-rules-engine', rules, targets);
  return async (facts: Facts): Promise<Decision> => {
    const right = rightDecision(read, facts);
    expect(await compiled.decide(facts), 'compiled').toEqual(right);
    expect(await library.decide(facts), 'json-rules-engine').toEqual(right);
    return right;
  };
}

/** Random rule sets as rule files have them, some of their rules for each service. */
const documentArbitrary: fc.Arbitrary<RulesFile> = fc
  .tuple(ruleSetArbitrary, fc.infiniteStream(fc.integer({ min: 0, max: 3 })))
  .map(([{ default: fallback, conditions, rules }, draws]) => ({
    apiVersion: 'topo-bench/v1',
    kind: 'Rules',
    name: 'random',
    default: fallback,
    conditions,
    examples: [],
    rules: rules.map(({ id, priority, when, effect, remove, pseudonymise, to }) => ({
      ...{ id, priority, when, effect, to },
      ...(effect === 'redact' && { redact: { remove, pseudonymise } }),
      ...(draws.next().value === 0 && { forEach: 'services' as const }),
    })),
  }));

// The library takes its time, and more of it next to other suites.
describe('the oracle and both engines', { timeout: 180_000 }, () => {
  it('decide two steps over each of many random documents alike', async () => {
    const effects = new Map<string, number>();
    let perService = 0;
    await fc.assert(
      fc.asyncProperty(
        documentArbitrary,
        targetsArbitrary,
        fc.array(stepArbitrary, { minLength: 2, maxLength: 2 }),
        async (file, targets, steps) => {
          const decide = await decidersOf(
            file,
            targets.map(({ service }) => service),
            targets,
          );
          for (const step of steps) {
            const { effect, rule = '' } = await decide({ ...step, target: targets[step.target] as TargetFacts });
            if (rule.includes('@')) perService++;
            effects.set(effect, (effects.get(effect) ?? 0) + 1);
          }
        },
      ),
      { numRuns: 5000 * share, seed: 20_260_102 },
    );
    expect(perService).toBeGreaterThan(500 * share);
    for (const effect of ['allow', 'redact', 'reroute', 'deny'])
      expect(effects.get(effect), effect).toBeGreaterThan(500 * share);
  });

  it('read 20 000 paths alike, or refuse them alike', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '$',
        '.',
        '.a',
        '.ü-$_9',
        '[0]',
        '[007]',
        "['a b']",
        '["x\\"y"]',
        "['",
        "']",
        '[',
        ']',
        '\\',
        '\n',
        '[?(@.a)]',
      ),
      fc.string({ maxLength: 2, unit: 'binary' }),
    );
    const text = fc.array(piece, { maxLength: 5 }).map((pieces) => `$${pieces.join('')}`);
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (path) => {
        const steps = parseRulePath(path);
        if (steps) read++;
        expect(stepsOrRefusal(path)).toEqual(steps ?? 'TB_RULES_PATH');
      }),
      { numRuns: 20_000, seed: 20_261_125 },
    );
    expect(read).toBeGreaterThan(2000);
  });

  const files = readdirSync(new URL('../rules/', import.meta.url)).filter((name) => name.endsWith('.yaml'));

  it.each(files)(
    'decide 2 500 steps over the shipped rules/%s alike, and each of its rules decides some',
    async (name) => {
      const file = rulesFile.parse(parse(readFileSync(new URL(`../rules/${name}`, import.meta.url), 'utf8')));
      const words = vocabularyOf(
        file.rules.map(({ when }) => when).concat(Object.values(file.conditions)),
        file.examples,
      );
      const services = [...new Set(file.examples.map(({ target }) => target.service).concat('some-service'))];
      const seen = new Set<string | undefined>();
      await fc.assert(
        fc.asyncProperty(
          targetsOf(services, words, file),
          fc.array(requestAndFlow(words, services, file), { minLength: 50, maxLength: 50 }),
          async (targets, steps) => {
            const decide = await decidersOf(file, services, targets);
            for (const [i, step] of steps.entries()) {
              const decision = await decide({ ...step, target: targets[i % targets.length] as TargetFacts });
              for (const id of decision.rules) seen.add(id.split('@')[0]);
            }
          },
        ),
        { numRuns: 50, seed: 20_260_103 },
      );
      expect([...seen].sort()).toEqual(file.rules.map(({ id }) => id).sort());
    },
  );
});

/** What the oracle makes of a path. */
function stepsOrRefusal(path: string): unknown {
  try {
    return pathSteps(path);
  } catch (error) {
    return (error as TopoBenchError).code;
  }
}

/**
 * Every word that the conditions and examples of a file use, and one that none does: random facts then meet the rules
 * often.
 */
function vocabularyOf(...parts: unknown[]): string[] {
  const words = new Set(['unheard-of']);
  JSON.stringify(parts, (key, value: unknown) => {
    const structural = ['fact', 'operator', 'path', 'name', 'rule', 'effect'].includes(key);
    if (typeof value === 'string' && !structural) words.add(value);
    return value;
  });
  return [...words];
}

/** Targets by service: as an example of the file has it, or at random. */
function targetsOf(
  services: readonly string[],
  words: readonly string[],
  { examples }: RulesFile,
): fc.Arbitrary<TargetFacts[]> {
  const word = fc.constantFrom(...words);
  return fc.tuple(
    ...services.map((service) => {
      const random = fc.record({
        service: fc.constant(service),
        node: word,
        region: word,
        tags: fc.uniqueArray(word, { maxLength: 4 }),
      });
      const known = examples.filter(({ target }) => target.service === service).map(({ target }) => target);
      return known.length > 0 ? fc.oneof(random, fc.constantFrom(...known)) : random;
    }),
  );
}

/** What differs from an example. */
interface Change {
  request?: Partial<RequestFacts>;
  flow?: FlowFacts;
}

/** A request and where it has been: at random, or as an example of the file has it but for some of its members. */
function requestAndFlow(
  words: readonly string[],
  services: readonly string[],
  { examples }: RulesFile,
): fc.Arbitrary<Omit<Facts, 'target'>> {
  const word = fc.constantFrom(...words);
  const some = fc.uniqueArray(word, { maxLength: 4 });
  const members = {
    class: word,
    origin: word,
    categories: some,
    consents: some,
    purpose: word,
    payload: fc.dictionary(word, fc.oneof(word, fc.nat()), { maxKeys: 3 }),
  };
  const flow = fc.record({ services: fc.array(fc.constantFrom(...services), { maxLength: 3 }), regions: some });
  const random = fc.record({ request: fc.record(members), flow });
  const changes: fc.Arbitrary<Change> = fc.record(
    { request: fc.record(members, { requiredKeys: [] }), flow },
    { requiredKeys: [] },
  );
  const nearExample = fc
    .tuple(fc.constantFrom(...examples), fc.oneof(fc.constant<Change>({}), changes))
    .map(([example, change]) => ({
      request: { ...example.request, class: example.request.class ?? 'example', ...change.request },
      flow: change.flow ?? example.flow,
    }));
  return examples.length > 0 ? fc.oneof(random, nearExample) : random;
}
