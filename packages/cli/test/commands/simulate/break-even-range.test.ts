import { describe, expect, it } from 'vitest';
import { breakEvenRange } from '../../../src/commands/simulate/break-even-range.ts';

describe('the levels of --break-even', () => {
  it('are seven in the unit of the last one, and whole numbers where both ends are', () => {
    expect(breakEvenRange('delay=0ms..40ms')).toEqual({
      factor: 'delay',
      levels: ['0ms', '6.667ms', '13.33ms', '20ms', '26.67ms', '33.33ms', '40ms'],
    });
    expect(breakEvenRange('work=500us..2ms').levels).toEqual([
      ...['0.5ms', '0.75ms', '1ms', '1.25ms', '1.5ms', '1.75ms', '2ms'],
    ]);
    expect(breakEvenRange('services=2..4').levels).toEqual([2, 3, 4]);
  });

  it.each(['rate', 'rate=80..20', 'delay=1..5ms', 'rate=20'])('refuses %s', (text) => {
    expect(() => breakEvenRange(text)).toThrow('such as rate=20..400');
  });
});
