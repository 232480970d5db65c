import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { withinLimit } from '../src/time-limit.ts';

const { signal } = new AbortController();
const error = () => new TopoBenchError('TB_ACCESS_CLIENT', 'too long');
const endless = () => new Promise<never>(() => undefined);

it('a step settles as it does without a limit', async () => {
  const limit = { limitUs: 60e6, error, signal };
  await expect(withinLimit(sleep(1, 'done'), limit)).resolves.toBe('done');
  const failure = new Error('its own');
  await expect(withinLimit(Promise.reject(failure), limit)).rejects.toBe(failure);
});

it('a step that takes too long is an error, and its later failure is ignored', async () => {
  const late = sleep(30).then(() => Promise.reject(new Error('late')));
  await expect(withinLimit(late, { limitUs: 5000, error, signal })).rejects.toThrow('too long');
  // An unhandled rejection would fail the test run.
  await sleep(60);
});

it('an abort ends the wait with the reason of the signal', async () => {
  const run = new AbortController();
  const step = withinLimit(endless(), { limitUs: 60e6, error, signal: run.signal });
  const reason = new Error('interrupted');
  run.abort(reason);
  await expect(step).rejects.toBe(reason);
  await expect(withinLimit(endless(), { limitUs: 60e6, error, signal: run.signal })).rejects.toBe(reason);
});

it('a step that has ended leaves no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await withinLimit(Promise.resolve(), { limitUs: 3600e6, error, signal });
  expect(timers()).toBe(before);
});
