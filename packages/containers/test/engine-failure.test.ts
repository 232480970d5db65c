import { expect, it } from 'vitest';
import { engineFailure, isUnanswered, withinDeadline } from '../src/index.ts';

it('a missed deadline is described once, and counts as no answer', async () => {
  const missed = await withinDeadline('create the network tb-1', () => new Promise(() => {}), 5).catch(
    (error: Error) => error,
  );
  const failure = engineFailure('start the deployment', missed);
  expect(failure.message.match(/gave no answer to/g)).toHaveLength(1);
  expect(failure.message).toContain('create the network tb-1');
  expect(isUnanswered(failure)).toBe(true);
});
