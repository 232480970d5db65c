import type { RunRecord } from '@topo-bench/core/schema/result';
import { describe, expect, test } from 'vitest';
import { compareRuns } from '../src/compare.ts';
import { type CellFigures, runOf } from './fixtures/run-of.ts';

const flat = (centre: number): number[] => Array.from({ length: 8 }, (_, i) => centre * (1 + 0.001 * i));
const cell = (factors: CellFigures['factors'], centre: number): CellFigures => ({ factors, mediansUs: flat(centre) });
const record = (more: Partial<RunRecord>): Partial<RunRecord> => more;
const plain = (topology: unknown, experiment: unknown = {}) =>
  runOf([cell({ architecture: 'sidecar', rate: 10 }, 100)], record({ topology, experiment }));

describe('runs with different factors', () => {
  const varied = runOf([
    cell({ architecture: 'sidecar', rate: 10, 'services.pay.work': '100us' }, 100),
    cell({ architecture: 'sidecar', rate: 10, 'services.pay.work': '12ms' }, 200),
  ]);

  test.each([
    [100, 'no difference seen', '100us'],
    [12_000, 'faster', '12ms'],
  ])('compare the level that the other has as a setting: %i µs', (meanUs, verdict, level) => {
    const other = plain({ services: [{ name: 'pay', work: { law: 'constant', meanUs, kind: 'cpu' } }] });
    const { cells, notes } = compareRuns(varied, other);
    expect(cells.map((one) => [one.factors, one.verdict])).toEqual([[{ architecture: 'sidecar', rate: 10 }, verdict]]);
    expect(notes[0]).toBe(
      `services.pay.work is a factor of the baseline alone: ${level} is compared, which the candidate has`,
    );
    const reverse = compareRuns(other, varied);
    expect(reverse.cells[0]?.verdict).toBe(verdict === 'faster' ? 'slower' : verdict);
  });

  test.each([
    ['connections', 10, { load: { connections: 10 } }],
    ['load.keepAwake', false, { load: { keepAwake: false } }],
    ['engine', 'compiled', {}],
    ['duration', '2s', { duration: 2e6 }],
  ])('find %s in the files of the run, by its short name or path', (factor, level, experiment) => {
    const other = plain({ enforcement: { engine: 'compiled' } }, experiment);
    const run = runOf([
      cell({ architecture: 'sidecar', rate: 10, [factor]: level }, 100),
      cell({ architecture: 'sidecar', rate: 10, [factor]: 'another' }, 300),
    ]);
    expect(compareRuns(run, other).cells.map(({ verdict }) => verdict)).toEqual(['no difference seen']);
  });

  test('of two experiments name the difference of their names once', () => {
    const named = (name: string) =>
      runOf([cell({ architecture: 'sidecar' }, 100)], record({ name, experiment: { name }, topology: {} }));
    expect(compareRuns(named('before'), named('after')).notes).toEqual(['experiment differs: name before → after']);
  });

  test('take a field that a service lacks from the defaults of its topology', () => {
    const defaults = { work: { law: 'constant', meanUs: 100, kind: 'cpu' } };
    const { cells } = compareRuns(varied, plain({ services: [{ name: 'pay' }], defaults }));
    expect(cells.map(({ verdict }) => verdict)).toEqual(['no difference seen']);
  });

  test('have no cell in common where no level is the setting of the other, or where several could be', () => {
    const other = plain({ services: [{ name: 'pay', work: { law: 'constant', meanUs: 5, kind: 'cpu' } }] });
    expect(() => compareRuns(varied, other)).toThrow(expect.objectContaining({ code: 'TB_COMPARE_NO_COMMON_CELLS' }));
    const unknown = plain({ services: [{ name: 'pay' }] });
    expect(() => compareRuns(varied, unknown)).toThrow(expect.objectContaining({ code: 'TB_COMPARE_NO_COMMON_CELLS' }));
  });

  test('compare a factor with one level, and state that it is not known to be equal', () => {
    const run = runOf([cell({ architecture: 'sidecar', rate: 10, style: 'nested' }, 100)]);
    const { cells, notes } = compareRuns(run, plain({}));
    expect(cells).toHaveLength(1);
    expect(notes[0]).toContain('nested is compared, its only level; whether the candidate has it is unknown');
  });
});
