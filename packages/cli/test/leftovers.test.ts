import { expect, it } from 'vitest';
import { countsOf, removalCommand } from '../src/leftovers.ts';

it('leftovers of several runs are counted by kind', () => {
  const runs = [
    { objects: { container: ['a', 'b'], network: ['n'] } },
    { objects: { container: ['c'], volume: ['v', 'w'] } },
    { objects: { namespace: ['x'] } },
  ];
  expect(countsOf(runs)).toBe('3 containers, 1 network, 2 volumes, 1 namespace');
});

it('the command that removes them names the context that they were found in', () => {
  expect(removalCommand({})).toBe('topo-bench down --all');
  expect(removalCommand({ context: 'rootless' })).toBe('topo-bench down --all --context rootless');
});
