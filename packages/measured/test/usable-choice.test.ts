import type { FactorLevels } from '@topo-bench/core/schema/result';
import { narrowCells } from '@topo-bench/experiment';
import { describe, expect, it } from 'vitest';
import { usableChoice } from '../src/usable-choice.ts';

const databases = ['postgresql', 'mysql', 'redis', 'mongodb', 'cassandra', 'ignite'];
const all = (factors: Record<string, readonly string[]>): FactorLevels[] =>
  Object.entries(factors).reduce<FactorLevels[]>(
    (cells, [factor, levels]) => cells.flatMap((cell) => levels.map((level) => ({ ...cell, [factor]: level }))),
    [{}],
  );
const study = all({
  database: databases,
  job: ['generate', 'copy', 'realistic-queries'],
  windows: ['none', '1s'],
  grid: ['none', 'hazelcast'],
});
/** The cells that the flags leave, as the command line reads them. */
const keptBy = (flags: readonly string[], cells: readonly FactorLevels[]): FactorLevels[] => {
  const only = flags.map((flag) => /^--only (\w+)=(.+)$/.exec(flag) as RegExpExecArray);
  return narrowCells(
    [...cells],
    Object.fromEntries(only.map(([, factor = '', levels = '']) => [factor, levels.split(',')])),
  );
};
const choose = (cells: readonly FactorLevels[], isUsable: (levels: FactorLevels) => boolean): string[] =>
  usableChoice(
    cells.map((given) => ({ given })),
    ({ given }) => isUsable(given),
  );

describe('the choice that leaves out what cannot be measured', () => {
  it('names the levels of one factor alone where they are the reason', () => {
    expect(choose(study, ({ database }) => database !== 'mysql')).toEqual([
      '--only database=postgresql,redis,mongodb,cassandra,ignite',
    ]);
    expect(choose(study, ({ grid }) => grid === 'none')).toEqual(['--only grid=none']);
  });

  it('leaves out the job whose cells of other databases need a database too', () => {
    const isUsable = ({ database, job }: FactorLevels): boolean => database !== 'postgresql' && job !== 'copy';
    const flags = choose(study, isUsable);
    expect(flags).toEqual([
      '--only database=mysql,redis,mongodb,cassandra,ignite',
      '--only job=generate,realistic-queries',
    ]);
    expect(keptBy(flags, study).every(isUsable)).toBe(true);
  });

  it('keeps as many usable cells as any choice, and no other: every set of one or two missing parts', () => {
    const parts: ((levels: FactorLevels) => boolean)[] = [
      ...databases.map(
        (one) =>
          ({ database }: FactorLevels) =>
            database === one,
      ),
      ({ job, database }) => job === 'copy' && database !== 'postgresql',
      ({ grid }) => grid === 'hazelcast',
      ({ grid, database }) => grid === 'hazelcast' && database === 'redis',
    ];
    for (const one of parts) {
      for (const other of parts) {
        const isUsable = (levels: FactorLevels): boolean => !one(levels) && !other(levels);
        const kept = keptBy(choose(study, isUsable), study);
        expect(kept.length).toBeGreaterThan(0);
        expect(kept.every(isUsable)).toBe(true);
        // No level can be added.
        const levels = (factor: string): string[] => [...new Set(kept.map((cell) => String(cell[factor])))];
        for (const factor of ['database', 'job', 'grid']) {
          for (const added of new Set(study.map((cell) => String(cell[factor])))) {
            if (levels(factor).includes(added)) continue;
            const more = study.filter((cell) =>
              ['database', 'job', 'grid'].every((name) =>
                [...levels(name), ...(name === factor ? [added] : [])].includes(String(cell[name])),
              ),
            );
            expect(more.every(isUsable)).toBe(false);
          }
        }
      }
    }
  });

  it('is none where nothing is usable, or everything', () => {
    expect(choose(study, () => false)).toEqual([]);
    expect(choose(study, () => true)).toEqual([]);
    expect(choose([{}], () => false)).toEqual([]);
  });
});
