/** The sustained rates of a run with `--find-max`, and what was the limit at the first rate that fails. */
import { type Bottleneck, bottleneckOf } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import type { FactorLevels, RateSearch } from '@topo-bench/core/schema/result';
import { lineOf, type SustainedRate, sustainedRates } from '@topo-bench/results';
import { describeLevels, factorsOf } from '../model/factors.ts';
import type { ReportModel } from '../model/report-model.ts';

export interface SearchedLine extends SustainedRate {
  /** Levels that tell the lines apart: `central-entity`. */
  name: string;
  /** At the lowest rate that is shown to fail; undefined without one. */
  limit: Bottleneck | undefined;
}

export interface RateSearchReport {
  search: RateSearch;
  isSimulated: boolean;
  /** Levels that all lines share, such as `12 services`; empty without any. */
  setting: string;
  /** In the order of the experiment; a line of which no rate was confirmed has none. */
  lines: SearchedLine[];
  nameOf(levels: FactorLevels): string;
}

/** Undefined for other runs, and for several runs in one report: each has its own bounds. */
export function rateSearchOf({ runs }: Pick<ReportModel, 'runs'>): RateSearchReport | undefined {
  const [run] = runs;
  return runs.length === 1 && run?.record.search ? searched(run, run.record.search) : undefined;
}

function searched({ record, cells }: RunFolder, search: RateSearch): RateSearchReport {
  const levels = [...search.probes.map(({ factors }) => factors), ...record.plannedCells].map(lineOf);
  const factors = factorsOf(levels.map((one) => ({ factors: one })));
  const varying = factors.filter(({ name, levels: found }) => found.length > 1 || name === 'architecture');
  const shared = factors.filter((factor) => !varying.includes(factor));
  const nameOf = (line: FactorLevels): string => describeLevels(varying, line) || 'the system';
  const lines = sustainedRates(search.condition, record.plannedCells, cells).map((line): SearchedLine => {
    const failing = line.rates.find(({ rateRps }) => rateRps === line.highRps);
    return { ...line, name: nameOf(line.line), limit: failing && bottleneckOf(failing.cells) };
  });
  const isSimulated = record.simulation !== undefined;
  return { search, isSimulated, setting: describeLevels(shared, levels[0] ?? {}), lines, nameOf };
}
