/** Rules that a topology generates, so that their number is a factor. They are data like rules of a file. */
import { shuffled } from '@topo-bench/core';
import type { Comparison, Rule } from '@topo-bench/core/schema/rules';
import type { GeneratedRules } from '@topo-bench/core/schema/topology';
import { streams } from './streams.ts';

/**
 * Rules for one target, with the ids `generated-1@service`, `generated-2@service`, … Each has two seeded conditions
 * that hold for every request, and a last one that decides: it holds for the stated share of the rules, and never for
 * the others. Rules that match allow, the others would deny. With the default `allow` no decision therefore depends on
 * their number, and every request makes the same steps.
 *
 * The conditions name values with the prefix `generated-`, which requests must not have.
 */
export function generatedRules(service: string, { generate, match, seed }: GeneratedRules): Rule[] {
  const random = streams.generatedRules(seed, service);
  const matching = Math.round(match * generate);
  const outcomes = shuffled(
    Array.from({ length: generate }, (_, at) => at < matching),
    random,
  );
  return outcomes.map((matches, at): Rule => {
    const value = (): string => `generated-${random.integer(1000)}`;
    const fillers = shuffled(holding, random).slice(0, 2);
    const last: Comparison = {
      fact: 'request',
      path: '$.purpose',
      operator: matches ? 'notEqual' : 'equal',
      value: value(),
    };
    return {
      id: `generated-${at + 1}@${service}`,
      priority: 1,
      when: {
        all: [
          { fact: 'target', path: '$.service', operator: 'equal', value: service },
          ...fillers.map((filler) => filler(value)),
          last,
        ],
      },
      effect: matches ? 'allow' : 'deny',
    };
  });
}

/** Conditions that hold for every request without values of the prefix. */
const holding: readonly ((value: () => string) => Comparison)[] = [
  (value) => ({ fact: 'request', path: '$.origin', operator: 'notIn', value: [value(), value(), value()] }),
  (value) => ({ fact: 'request', path: '$.origin', operator: 'notEqual', value: value() }),
  (value) => ({ fact: 'request', path: '$.class', operator: 'notEqual', value: value() }),
  (value) => ({ fact: 'request', path: '$.class', operator: 'notIn', value: [value(), value()] }),
];
