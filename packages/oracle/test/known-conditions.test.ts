/** Conditions of which a part is known: every form of a condition, against its values for all payloads. */
import type { Facts } from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isMet } from '../src/conditions.ts';
import { mayBeMet } from '../src/known-conditions.ts';

const target = { service: 's', node: 'n', region: 'eu', tags: [] };
const factsOf = (purpose: string, x?: string): Facts => ({
  request: { class: 'c', origin: 'eu', categories: [], consents: [], purpose, payload: x === undefined ? {} : { x } },
  target,
  flow: { services: [], regions: [] },
});
const word = fc.constantFrom('a', 'b', 'eu');
const comparison = fc
  .tuple(
    fc.constantFrom(['request', '$.payload.x'], ['request', '$.purpose'], ['request', '$'], ['target', '$.region']),
    fc.constantFrom('equal', 'notEqual'),
    fc.oneof(word, fc.constant({ fact: 'request', path: '$.payload.x' })),
  )
  .map(([[fact, path], operator, value]) => ({ fact, path, operator, value }) as Condition);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.constant<Condition>({ condition: 'named' }),
    fc.array(tie('condition'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('condition'), { maxLength: 3 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}));

it('a condition that cannot be met is met by no payload', () => {
  let impossible = 0;
  fc.assert(
    fc.property(condition, comparison, word, (one, named, purpose) => {
      if (mayBeMet(one, factsOf(purpose), { named })) return;
      impossible++;
      for (const x of [undefined, 'a', 'b', 'eu']) expect(isMet(one, factsOf(purpose, x), { named })).toBe(false);
    }),
    { numRuns: 2000, seed: 1 },
  );
  expect(impossible).toBeGreaterThan(200);
});

it('a condition on the payload alone may be met; facts of the call and of the target decide the others', () => {
  const ofPayload: Condition = { fact: 'request', path: '$.payload.x', operator: 'equal', value: 'a' };
  const ofCall: Condition = { fact: 'request', path: '$.purpose', operator: 'equal', value: 'b' };
  const ofTarget: Condition = { fact: 'target', path: '$.region', operator: 'equal', value: 'us' };
  const possible = (one: Condition, purpose: string) => mayBeMet(one, factsOf(purpose), {});
  expect(possible(ofPayload, 'a')).toBe(true);
  expect(['a', 'b'].map((purpose) => possible({ all: [ofPayload, ofCall] }, purpose))).toEqual([false, true]);
  expect(possible({ all: [ofPayload, ofTarget] }, 'b')).toBe(false);
  expect(possible({ any: [ofPayload, ofTarget] }, 'b')).toBe(true);
});
