/** Models of stream runs with chosen figures. */
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { ReportModel } from '@topo-bench/report/model';
import { summarise } from '@topo-bench/stats';
import type { StreamFigures } from '../../src/measurement.ts';
import type { StreamEntry } from '../../src/parts.ts';

export interface ChosenCell {
  factors: FactorLevels;
  /** Per second at full speed, by repetition. */
  rates: readonly number[];
  more?: Partial<StreamFigures>;
}

/** Six repetitions around a rate. */
export function around(rate: number, count = 6): number[] {
  return [1, 1.02, 0.98, 1.01, 0.99, 1.03].slice(0, count).map((one) => one * rate);
}

export function streamModel(chosen: readonly ChosenCell[]): ReportModel {
  const groups = chosen.map(({ factors, rates, more }) => ({
    factors,
    valid: rates.map((rate, at) => ({
      repetition: at + 1,
      stream: { ...figuresOf(String(factors.database), rate), ...more },
      validity: { flags: [] },
    })) as unknown as Cell[],
    invalid: [],
    planned: rates.length,
  }));
  const names = [...new Set(chosen.flatMap(({ factors }) => Object.keys(factors)))];
  const factors = names.map((name) => ({
    name,
    levels: [...new Set(chosen.flatMap(({ factors }) => factors[name] ?? []))],
  }));
  return { groups, factors, runs: [] } as unknown as ReportModel;
}

/** Valid entries of all cells. */
export function entriesOf({ groups }: ReportModel): StreamEntry[] {
  return groups.flatMap(({ valid }) => valid);
}

export function figuresOf(database: string, pointsPerSecond: number): StreamFigures {
  const run = { points: 1000, durationUs: 1e6, pointsPerSecond, rows: 1, writes: 1, late: 0, backPressureUs: 0 };
  const times = { endToEnd: summarise([1e9 / pointsPerSecond]), storeAccess: summarise([10]) };
  return {
    database,
    fullSpeed: { ...run, ...times },
    trials: [],
    paced: { ...run, ...times, ratePerSecond: 500, queueGrowth: 0 },
    counts: {},
    checked: { heatMaps: 2, cells: 10, wrong: 0, lost: 0, duplicated: 0, late: 0 },
    storageBytes: 1,
    roles: {},
    options: {},
  };
}
