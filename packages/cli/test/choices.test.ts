import { describe, expect, it } from 'vitest';
import { choicesOf } from '../src/choices.ts';

describe('flags that change an experiment', () => {
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
});
