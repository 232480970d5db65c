import { describe, expect, it } from 'vitest';
import { choicesOf, requireNoChoices } from '../src/choices.ts';

describe('flags of run', () => {
  it('become choices: numbers and JSON as such, everything else as text', () => {
    const set: [string, string][] = [
      ['rate', '200'],
      ['duration', '5s'],
      ['keepRequests', 'true'],
      ['topology.defaults.work', '{"mean":"1ms"}'],
      ['architecture', 'sidecar'],
    ];
    expect(choicesOf({ set, only: [['services', '5,10']], repetitions: 2, seed: 7, traceHops: '1%' })).toEqual({
      set: {
        rate: 200,
        duration: '5s',
        keepRequests: true,
        'topology.defaults.work': { mean: '1ms' },
        architecture: 'sidecar',
        repetitions: 2,
        seed: 7,
        traceHops: '1%',
      },
      only: { services: ['5', '10'] },
    });
  });

  it('cannot change a run that is continued', () => {
    expect(() => requireNoChoices({ resume: 'x', json: true, published: true })).not.toThrow();
    expect(() => requireNoChoices({ resume: 'x', repetitions: 2, only: [['rate', '1']] })).toThrow(
      /so repetitions, --only rate cannot be changed/,
    );
  });
});
