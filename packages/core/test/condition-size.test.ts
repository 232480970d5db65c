import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionSize, namedConditionSizes } from '../src/condition-size.ts';
import { checkNamedConditions, checkReferredSize } from '../src/rule-conditions.ts';

const comparison = { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' };
const refer = (condition: string) => ({ condition });

/** Each condition refers twice to the next one: the first stands for 2^length comparisons. */
const doubling = (length: number) => ({
  ...Object.fromEntries(
    Array.from({ length }, (_, i) => [`c${i}`, { [i % 2 ? 'any' : 'all']: [refer(`c${i + 1}`), refer(`c${i + 1}`)] }]),
  ),
  [`c${length}`]: comparison,
});
const chain = (length: number) => ({
  ...Object.fromEntries(Array.from({ length }, (_, i) => [`c${i}`, { not: refer(`c${i + 1}`) }])),
  [`c${length}`]: comparison,
});
const messages = (named: Record<string, unknown>) =>
  checkNamedConditions(named).map(({ code, place, message }) => `${code} ${place.join('.')}: ${message}`);

type Tree = { all: Tree[] } | { any: Tree[] } | { not: Tree } | { condition: string } | typeof comparison;

/** The reference: counts in the condition written out. */
function countedByExpansion(tree: Tree, named: Record<string, Tree>): { comparisons: number; levels: number } {
  if ('fact' in tree) return { comparisons: 1, levels: 1 };
  if ('condition' in tree) return countedByExpansion(named[tree.condition] as Tree, named);
  const members = 'all' in tree ? tree.all : 'any' in tree ? tree.any : [tree.not];
  const parts = members.map((member) => countedByExpansion(member, named));
  return {
    comparisons: parts.reduce((sum, part) => sum + part.comparisons, 0),
    levels: 1 + Math.max(0, ...parts.map(({ levels }) => levels)),
  };
}

/** Conditions of which each refers to later ones only. */
const conditionsArbitrary = fc
  .array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }), { minLength: 1, maxLength: 6 })
  .map((lists) => {
    const named: Record<string, Tree> = { [`c${lists.length}`]: comparison };
    for (const [i, list] of lists.entries()) {
      const members = list.map((draw): Tree => {
        const later = i + 1 + (draw % (lists.length - i));
        return draw < 3 ? comparison : draw < 7 ? refer(`c${later}`) : { not: { any: [refer(`c${later}`)] } };
      });
      named[`c${i}`] = i % 2 ? { any: members } : { all: members };
    }
    return named;
  });

describe('the size of a condition', () => {
  it('equals that of the condition written out', () => {
    fc.assert(
      fc.property(conditionsArbitrary, (named) => {
        const sizes = namedConditionSizes(named);
        for (const [name, tree] of Object.entries(named)) {
          expect(conditionSize(tree, sizes)).toMatchObject(countedByExpansion(tree, named));
          expect(sizes.get(name)).toEqual(conditionSize(tree, sizes));
        }
      }),
    );
  });

  it('counts what lies behind references apart from what a file has written out', () => {
    const sizes = namedConditionSizes({ two: { all: [comparison, comparison] } });
    const condition = { any: [refer('two'), comparison, { not: refer('two') }] };
    expect(conditionSize(condition, sizes)).toEqual({ comparisons: 5, referred: 4, levels: 4 });
  });
});

describe('named conditions', () => {
  it('are refused from the first one that stands for too many comparisons', () => {
    expect(messages(doubling(16))).toEqual([]);
    expect(messages(doubling(60))).toEqual([
      'TB_RULES_TOO_LARGE c43: the condition "c43" stands for 131,072 comparisons',
    ]);
  });

  it('are refused where their references are nested too deep, in chains longer than the stack too', () => {
    expect(messages(chain(199))).toEqual([]);
    expect(messages(chain(20_000))).toEqual([
      'TB_RULES_TOO_LARGE c19800: the condition "c19800" is nested more than 200 levels deep',
    ]);
  });

  it('that are part of a circle are named; those that lead to one are not', () => {
    const named = {
      way: refer('a'),
      a: { all: [refer('b'), comparison] },
      b: { not: refer('a') },
      self: refer('self'),
    };
    expect(messages(named)).toEqual(
      ['a', 'b', 'self'].map((name) => `TB_RULES_CYCLE ${name}: the condition "${name}" refers to itself`),
    );
  });
});

describe('references of rules', () => {
  const named = { large: { any: Array(40_000).fill(comparison) } };

  it('are refused in the rule with which they exceed the limit together, however often each rule may refer', () => {
    const whens = [refer('large'), { all: [refer('large'), comparison] }, refer('large')];
    const message = 'the condition "large" stands for 40,000 comparisons; with it, the rules refer to 120,000';
    expect(checkReferredSize(whens, named, true)).toMatchObject([{ code: 'TB_RULES_TOO_LARGE', place: [2], message }]);
    expect(checkReferredSize(whens, named, false)).toEqual([]);
    const thrice = { all: [refer('large'), refer('large'), refer('large')] };
    expect(checkReferredSize([comparison, thrice], named, false)).toMatchObject([{ place: [1] }]);
  });

  it('are all that the limit counts: comparisons that a file has written out are as large as the file', () => {
    expect(checkReferredSize([{ any: Array(150_000).fill(comparison) }], named, true)).toEqual([]);
  });
});
