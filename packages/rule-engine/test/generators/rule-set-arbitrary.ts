/**
 * Random rule sets, targets and facts from one small vocabulary, so that conditions hold about as often as they fail.
 */
import {
  checkCondition,
  type ExpandedRule,
  type Facts,
  type RuleSet,
  ruleDecorators,
  ruleOperators,
  type TargetFacts,
} from '@topo-bench/core';
import { type Comparison, type Condition, effects } from '@topo-bench/core/schema/rules';
import fc from 'fast-check';

const words = ['a', 'b', 'eu', 'svc-1'];
const word = fc.constantFrom(...words);
// What breaks naive implementations: numbers as text, NaN, negative zero; in payloads, objects without a text form.
const scalar = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(0, 1, 2, -0, '1', '1x', '', 'eu-1', null, true, false) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY) },
);
const object = fc.constantFrom<unknown>({ toString: 1 }, { a: 1 });
const wordList = fc.array(word, { maxLength: 3 });
const literal = listsOf(scalar);
const payloadValue = listsOf(fc.oneof({ weight: 6, arbitrary: scalar }, object));

function listsOf(element: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: element },
    { weight: 3, arbitrary: fc.array(element, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.array(element, { maxLength: 2 }), { maxLength: 2 }) },
  );
}

const paths = {
  request: [
    undefined,
    '$',
    '$.origin',
    '$.purpose',
    '$.categories',
    '$.categories[0]',
    '$.categories[9]',
    '$.categories.length',
    '$.consents',
    '$.payload',
    '$.payload.x',
    '$.payload.x[1]',
    '$.payload.list',
    "$.payload['a b'].deep",
    '$.payload.missing.deeper',
    '$.payload.constructor',
    "$['__proto__']",
    '$.origin.length',
  ],
  target: [undefined, '$.service', '$.node', '$.region', '$.tags', '$.tags[0]', '$.missing'],
  flow: [undefined, '$.services', '$.services[0]', '$.regions', '$.regions.length', '$.toString'],
} as const;

const operand = fc
  .constantFrom('request', 'request', 'request', 'target', 'flow')
  .chain((fact) => fc.record({ fact: fc.constant(fact), path: fc.constantFrom(...paths[fact]) }))
  .map(({ fact, path }) => (path === undefined ? { fact } : { fact, path })) as fc.Arbitrary<
  Pick<Comparison, 'fact' | 'path'>
>;

const operator = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(fc.constantFrom(...ruleDecorators), { maxLength: 3 })),
    fc.constantFrom(...ruleOperators),
  )
  .map(([decorators, base]) => [...decorators, base].join(':'));

const label = fc.record({ priority: fc.integer({ min: 1, max: 3 }), name: word }, { requiredKeys: [] });

const comparison: fc.Arbitrary<Comparison> = fc
  .tuple(operand, operator, fc.oneof({ weight: 4, arbitrary: literal }, operand), label)
  .map(([left, name, right, labels]) => {
    let fitting: unknown = right;
    const build = (): Comparison => ({ ...left, operator: name, value: fitting, ...labels });
    // Lists where the operator needs lists: a value that can never work is refused, which other tests hold.
    while (checkCondition(build(), {}).length > 0) fitting = [fitting];
    return build();
  });

function conditionOver(names: readonly string[]): fc.Arbitrary<Condition> {
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 4, arbitrary: comparison },
      ...(names.length > 0 ? [{ weight: 1, arbitrary: fc.record({ condition: fc.constantFrom(...names) }) }] : []),
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.array(tie('condition'), { maxLength: 3 }), label)
          .map(([all, rest]) => ({ all, ...rest })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.array(tie('condition'), { maxLength: 3 }), label)
          .map(([any, rest]) => ({ any, ...rest })),
      },
      { weight: 1, arbitrary: fc.tuple(tie('condition'), label).map(([not, rest]) => ({ not, ...rest })) },
    ),
  }));
  return condition;
}

const pointers = fc.uniqueArray(fc.constantFrom('/email', '/name', '/card'), { minLength: 1, maxLength: 2 });

function ruleOver(when: fc.Arbitrary<Condition>): fc.Arbitrary<Omit<ExpandedRule, 'index' | 'id'>> {
  return fc
    .record({
      priority: fc.integer({ min: 1, max: 3 }),
      when,
      effect: fc.constantFrom(...effects),
      remove: pointers,
      pseudonymise: pointers,
    })
    .map((rule) => ({
      ...rule,
      ...(rule.effect === 'redact' ? {} : { remove: [], pseudonymise: [] }),
      to: rule.effect === 'reroute' ? 'svc-2' : undefined,
    }));
}

export const targetServices = ['svc-1', 'svc-2'] as const;

const target = (service: string): fc.Arbitrary<TargetFacts> =>
  fc.record({ service: fc.constant(service), node: word, region: word, tags: wordList });

interface RuleCount {
  minLength: number;
  maxLength: number;
}

function ruleSetOver(when: fc.Arbitrary<Condition>, count: RuleCount): fc.Arbitrary<RuleSet> {
  return fc
    .record({
      default: fc.constantFrom('allow' as const, 'deny' as const),
      // `second` may refer to `first`, rules to both.
      conditions: fc.record({ first: conditionOver([]), second: conditionOver(['first']) }),
      rules: fc.array(ruleOver(when), count),
    })
    .map(({ rules, ...rest }) => ({
      ...rest,
      rules: rules.map((rule, index) => ({ index, id: `rule-${index}`, ...rule })),
    }));
}

/** Few rules, of every shape. */
export const ruleSetArbitrary = ruleSetOver(conditionOver(['first', 'second']), { minLength: 1, maxLength: 4 });

const fewWords = fc.constantFrom('a', 'b');
const someWords = fc.array(word, { minLength: 1, maxLength: 3 });
const requestComparison = (path: string, operator: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Comparison> =>
  value.map((literal) => ({ fact: 'request', path, operator, value: literal }));
const lookedUp = fc.oneof(
  requestComparison('$.class', 'in', someWords),
  requestComparison('$.categories', 'contains', word),
  requestComparison('$.consents', 'someFact:in', someWords),
);

/** Two comparisons that many others share, and up to three that may tell the rule apart. */
const crowdedCondition: fc.Arbitrary<Condition> = fc
  .tuple(
    requestComparison('$.origin', 'equal', fewWords),
    requestComparison('$.purpose', 'in', fc.array(fewWords, { minLength: 1, maxLength: 2 })),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: lookedUp },
        { weight: 1, arbitrary: fc.array(lookedUp, { minLength: 1, maxLength: 3 }).map((any) => ({ any })) },
        { weight: 1, arbitrary: fc.array(lookedUp, { minLength: 1, maxLength: 3 }).map((all) => ({ all })) },
        { weight: 1, arbitrary: comparison },
      ),
      { maxLength: 3 },
    ),
  )
  .map(([origin, purpose, others]) => ({ all: [...others, origin, purpose] }));

/** Many rules that share what can be looked up, so that an index has to tell them apart at every level. */
export const crowdedRuleSetArbitrary = ruleSetOver(
  fc.oneof(
    { weight: 9, arbitrary: crowdedCondition },
    crowdedCondition.map((condition) => ({ any: [condition] })),
  ),
  { minLength: 20, maxLength: 40 },
);

const threshold = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -20, max: 120 }) },
  { weight: 1, arbitrary: fc.constantFrom(-0, 0.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN) },
);
/** Orders, negations and substrings over members that hold numbers, texts and objects. */
const unkeyed: fc.Arbitrary<Condition> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('$.payload.x', '$.payload.amount'),
        fc.constantFrom('greaterThan', 'greaterThanInclusive', 'lessThan', 'lessThanInclusive'),
      )
      .chain(([path, operator]) => requestComparison(path, operator, threshold)),
  },
  { weight: 2, arbitrary: requestComparison('$.payload.x', 'notEqual', scalar) },
  { weight: 1, arbitrary: requestComparison('$.payload.x', 'notIn', fc.array(scalar, { maxLength: 3 })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('equal', 'notEqual', 'in', 'notIn')
      .chain((operator) =>
        requestComparison(
          '$.payload.x',
          operator,
          operator.endsWith('n') ? fc.array(scalar, { maxLength: 3 }) : scalar,
        ),
      )
      .map((not) => ({ not })),
  },
  { weight: 1, arbitrary: requestComparison('$.origin', 'swap:in', fc.constantFrom('e', 'u', 'a', '')) },
);

/** More rules than two words of bits, none of which a map can look up: half of them with one condition alone. */
export const unkeyedRuleSetArbitrary = ruleSetOver(
  fc.oneof(
    unkeyed,
    fc.array(unkeyed, { minLength: 2, maxLength: 3 }).map((all) => ({ all })),
  ),
  { minLength: 66, maxLength: 100 },
);

export const targetsArbitrary: fc.Arbitrary<TargetFacts[]> = fc.tuple(...targetServices.map(target));

/** What differs between steps; `target` is an index into the targets. */
export type StepFacts = Omit<Facts, 'target'> & { target: number };

export const stepArbitrary: fc.Arbitrary<StepFacts> = fc.record({
  target: fc.nat({ max: targetServices.length - 1 }),
  request: fc.record({
    class: word,
    origin: word,
    categories: wordList,
    consents: wordList,
    purpose: word,
    payload: fc.record(
      {
        x: payloadValue,
        amount: fc.oneof(threshold, payloadValue),
        list: payloadValue,
        'a b': fc.record({ deep: payloadValue }),
        constructor: payloadValue,
        email: word,
      },
      { requiredKeys: [] },
    ),
  }),
  flow: fc.record({ services: wordList, regions: wordList }),
});
