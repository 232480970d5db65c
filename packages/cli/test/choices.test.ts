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

  it.each([
    ['1.10', '1.10'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e5', '1e5'],
    ['{"a": 1}', '{"a": 1}'],
    ['null', 'null'],
    ['"1.10"', '1.10'],
    ['10', 10],
    ['true', true],
  ])('keep the text of a variable of a service: %s', (text, value) => {
    for (const path of ['services.a.env.V', 'services[0].env.V', 'topology.services.a.env.V'])
      expect(choicesOf({ set: [[path, text]] }).set).toEqual({ [path]: value });
  });

  it('keep the texts of all variables of a service', () => {
    const text = '{"A": 1.10, "B": "2.0 \\"3.0", "C": true, "D4": -1e5}';
    expect(choicesOf({ set: [['services.a.env', text]] }).set).toEqual({
      'services.a.env': { A: '1.10', B: '2.0 "3.0', C: true, D4: '-1e5' },
    });
  });
});
