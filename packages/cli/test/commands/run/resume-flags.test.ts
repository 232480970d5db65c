import { describe, expect, it } from 'vitest';
import { requireNoChoices, requireResumeFor, requireSearchFor } from '../../../src/commands/run/resume-flags.ts';

describe('a resumed run', () => {
  it('accepts flags that leave its experiment as it is', () => {
    expect(() => requireNoChoices({ resume: 'x', json: true, published: true, repetitions: 20 })).not.toThrow();
  });

  it('rejects flags that would change its experiment, by name', () => {
    expect(() => requireNoChoices({ resume: 'x', seed: 2, only: [['rate', '1']] })).toThrow(
      '--resume cannot change the run: got seed, --only rate, expected none of them',
    );
  });

  it('alone accepts --allow-other-servers', () => {
    expect(() => requireResumeFor({ resume: 'x', allowOtherServers: true })).not.toThrow();
    expect(() => requireResumeFor({ allowOtherServers: true })).toThrow('--allow-other-servers needs --resume');
  });
});

it('a time limit names the search that it limits', () => {
  expect(() => requireSearchFor({ maxTime: 1e6 }, undefined)).toThrow(
    /--max-time limits a search: got none, expected --find-max/,
  );
  expect(() => requireSearchFor({ maxTime: 1e6 }, 'p95<50ms')).not.toThrow();
  expect(() => requireNoChoices({ resume: 'runs/a', findMax: 'p95<50ms' })).toThrow(/got --find-max/);
});
