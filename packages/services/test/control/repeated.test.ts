import { expect, it } from 'vitest';
import { RoleCounters } from '../../src/control/role-counters.ts';

it('a service counts the requests on which it works again, since the last reset', () => {
  const counters = new RoleCounters();
  for (const id of ['a', 'b', 'a', 'c', 'a']) counters.works(id);
  expect(counters.repeated).toEqual(['a', 'a']);
  counters.reset();
  counters.works('a');
  expect(counters.repeated).toEqual([]);
});

it('it remembers at least the last fifty thousand', () => {
  const counters = new RoleCounters();
  for (let id = 0; id < 120_000; id++) counters.works(String(id));
  expect(counters.repeated).toEqual([]);
  counters.works('70001');
  expect(counters.repeated).toEqual(['70001']);
});
