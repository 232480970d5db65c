import { expect, it } from 'vitest';
import { overload } from '../src/demands.ts';

const demand = (hostShare: number, share: number) => ({ hostShare, busiest: { role: 'central-entity', share } });

it('names the cores that a machine lacks, and a process that no machine could serve', () => {
  expect(overload(demand(0.4, 0.9), 2)).toBeUndefined();
  expect(overload(demand(1.6, 0.9), 2)).toBe('needs about 3.2 cores, and this machine has 2');
  expect(overload(demand(0.8, 13.2), 16)).toBe(
    'one process of central-entity would need 13 times the time that it has: no machine can do it',
  );
  expect(overload(demand(13, 13.2), 2)).toBe(
    'needs about 26 cores, and this machine has 2; one process of central-entity would need 13 times the time that it has: no machine can do it',
  );
  expect(overload(demand(0.8, 1.24), 2)).toBe(
    'one process of central-entity would need 1.2 times the time that it has: more cores do not help',
  );
});
