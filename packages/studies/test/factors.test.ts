import {
  describeLevel,
  factorNamed,
  factorNames,
  factorPath,
  factorRow,
  factorWords,
  shortFactorName,
} from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { studies } from '../src/index.ts';

const own = studies.flatMap(({ parts: { factors } }) => Object.entries(factors));

describe('factors of studies', () => {
  it('are known with those of every experiment', () => {
    expect(factorNames()).toEqual(expect.arrayContaining(own.map(([name]) => name)));
  });

  it.each(own)('find each other by short name and by path: %s', (name, { path = '' }) => {
    expect(factorRow(name)?.path).toBe(path);
    expect(shortFactorName(path)).toBe(name);
    expect(factorNamed(path, ['seed', name])).toBe(name);
    expect(factorPath(name)).toBe(path);
    expect(factorWords(name)).toMatch(/^[a-z]+( [a-z]+)*$/);
  });

  it('have levels in words', () => {
    const levels = { streamEngine: 'flink', windows: 'none', volume: 100_000, variant: 'native', batchRows: 5 };
    expect(Object.entries(levels).map(([name, level]) => describeLevel(name, level))).toEqual([
      'on Flink',
      'no windows',
      '100,000 rows',
      'native',
      'batch rows 5',
    ]);
  });
});
