import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fragmentOf, stateOf } from '../../src/browser/permalink.ts';

const data = {
  factors: [
    { name: 'architecture', levels: ['none', 'central-entity', 'a&b=c #1'] },
    { name: 'rate', levels: ['100 req/s', '500 req/s'] },
  ],
  times: ['rtt', 'responseTime'] as ('rtt' | 'responseTime')[],
};

test('every state of the filters is restored from its fragment', () => {
  const levels = fc.tuple(fc.subarray([0, 1, 2]), fc.subarray([0, 1]));
  fc.assert(
    fc.property(levels, fc.constantFrom('rtt', 'responseTime'), (chosen, metric) => {
      const state = { levels: chosen.map((one) => new Set(one)), metric };
      const fragment = fragmentOf(data, state);
      const all = { levels: [new Set([0, 1, 2]), new Set([0, 1])], metric: 'rtt' };
      expect(stateOf(data, fragment) ?? all).toEqual(state);
      expect(fragment).toMatch(/^(#show:[\w+%=&.*-]+)?$/);
    }),
  );
});

test('the fragment of a section is no state', () => {
  expect(stateOf(data, '#validity')).toBeUndefined();
  expect(stateOf(data, '')).toBeUndefined();
});
