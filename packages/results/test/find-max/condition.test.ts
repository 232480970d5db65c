import { summarise } from '@topo-bench/stats';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../src/find-max/condition.ts';
import { meets } from '../../src/index.ts';

describe('a condition of find-max', () => {
  it('is a statistic of the response time and its bound', () => {
    expect(parseCondition('p95<50ms')).toEqual({
      text: 'p95<50ms',
      of: 'responseTime',
      statistic: 'p95Us',
      boundUs: 50_000,
    });
    expect(parseCondition(' rtt.p99.9 < 2s ')).toMatchObject({ of: 'rtt', statistic: 'p999Us', boundUs: 2_000_000 });
  });

  it.each(['', 'p95', 'p95>50ms', 'p42<50ms', 'latency.p95<50ms'])('is rejected by name: %j', (text) => {
    expect(() => parseCondition(text)).toThrow(expect.objectContaining({ code: 'TB_LOAD_CONDITION' }));
  });

  it('needs a bound with a unit', () => {
    expect(() => parseCondition('p95<50')).toThrow(expect.objectContaining({ code: 'TB_UNIT_INVALID' }));
  });

  it('is met only below the bound, and never by missing or unfinished requests', () => {
    const condition = parseCondition('median<10ms');
    const cell = (values: number[], unfinished = 0) => ({
      rtt: summarise([]),
      responseTime: summarise(values, unfinished),
    });
    expect(meets(condition, cell([9999]))).toBe(true);
    expect(meets(condition, cell([10_000]))).toBe(false);
    expect(meets(condition, cell([]))).toBe(false);
    expect(meets(condition, cell([1], 2))).toBe(false);
  });

  it('on the mean is not met when some requests are never answered, however fast the others are', () => {
    const mean = parseCondition('mean<50ms');
    const cell = (answered: number, unfinished: number) => ({
      rtt: summarise([]),
      responseTime: summarise(new Array(answered).fill(1000), unfinished),
    });
    expect(meets(mean, cell(1000, 0))).toBe(true);
    expect(meets(mean, cell(500, 500))).toBe(false);
    expect(meets(mean, cell(999, 1))).toBe(false);
  });
});
