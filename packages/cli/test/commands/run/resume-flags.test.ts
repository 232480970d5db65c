import { describe, expect, it } from 'vitest';
import { requireNoChoices, requireResumeFor } from '../../../src/commands/run/resume-flags.ts';

describe('a resumed run', () => {
  it('accepts flags that leave its experiment as it is', () => {
    expect(() => requireNoChoices({ resume: 'x', json: true, published: true })).not.toThrow();
  });

  it('rejects flags that would change its experiment, by name', () => {
    expect(() => requireNoChoices({ resume: 'x', repetitions: 2, only: [['rate', '1']] })).toThrow(
      '--resume cannot change the run: got repetitions, --only rate, expected none of them',
    );
  });

  it('alone accepts --allow-other-servers', () => {
    expect(() => requireResumeFor({ resume: 'x', allowOtherServers: true })).not.toThrow();
    expect(() => requireResumeFor({ allowOtherServers: true })).toThrow('--allow-other-servers needs --resume');
  });
});
