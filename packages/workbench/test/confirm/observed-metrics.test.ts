import { describe, expect, it } from 'vitest';
import { observedValues } from '../../src/confirm/observed-metrics.ts';

const read = (text: string) => observedValues({ text, file: 'now' });

const prometheus = `# HELP requests:rate5m Requests per second: all of them.
# TYPE requests:rate5m gauge
requests:rate5m{job="shop",path="/a}\\"b"} 180.5 1395066363000
requests:rate5m{job="other"} 20
services 9
broken NaN
`;

describe('observedValues', () => {
  it.each([
    ['YAML', 'rate: 180\nservices: 9\n'],
    ['JSON', '{"rate": 180, "services": 9}'],
    ['Prometheus text', 'rate 180\nservices{} 9 1395066363000\n'],
  ])('reads numbers by name from %s', (_, text) => {
    const value = read(text);
    expect([value('rate'), value('services'), value('rules')]).toEqual([180, 9, undefined]);
  });

  it('finds the one series that has the given labels', () => {
    const value = read(prometheus);
    expect(value('requests:rate5m{job="shop"}')).toBe(180.5);
    expect(value('requests:rate5m{job="third"}')).toBeUndefined();
    expect(() => value('requests:rate5m')).toThrow('now: 2 series are named requests:rate5m, expected one');
    expect(() => value('broken')).toThrow('broken is NaN, expected a finite number');
  });

  it('names the line that is no sample, and the value that is no number', () => {
    expect(() => read('rate 180\nnot a sample of it\n')).toThrow('now:2: neither a map of numbers nor a sample');
    expect(() => read('rate: fast\n')('rate')).toThrow('now: rate is "fast", expected a number');
    expect(() => read('rate: .inf\n')('rate')).toThrow('expected a finite number');
    expect(read('rate: 1\n')('constructor')).toBeUndefined();
  });
});
