/**
 * What the runners of a report cost compared with each other: start, teardown, memory, and the main figure of the
 * study.
 */
import {
  type CellComparison,
  compareRuns,
  compareWithin,
  formatDifference,
  formatDifferenceInterval,
  formatValue,
  type RunComparison,
} from '@topo-bench/comparison';
import {
  cellKey,
  type FactorLevel,
  factorHeading,
  type RunFolder,
  runnerNames,
  TopoBenchError,
} from '@topo-bench/core';
import { median } from '@topo-bench/stats';
import { missing } from './figure-text.ts';
import type { CellGroup } from './model/cell-group.ts';
import { compareByFactors, type Factor } from './model/factors.ts';
import { reportLevels } from './model/report-levels.ts';
import type { ReportModel } from './model/report-model.ts';
import { numberColumn, type RowCells, type StudyTable, textColumn } from './study-table.ts';

export const runnerFigures: readonly (readonly [metric: string, title: string])[] = [
  ['deployment.ready', 'until ready'],
  ['deployment.stop', 'teardown'],
  ['deployment.memory', 'memory of all roles'],
];

/** No table where all cells have the same runner. */
export function runnerTables(model: ReportModel): StudyTable[] {
  const compared = comparedRunners(model);
  if (!compared) return [];
  const varying = model.factors.filter((factor) => factor !== compared && factor.levels.length > 1);
  const order = compareByFactors([...varying, compared]);
  const groups = model.groups.filter(({ valid }) => valid.length > 0).toSorted((a, b) => order(a.factors, b.factors));
  const main = model.metrics.defaultOf(groups.flatMap(({ valid }) => valid));
  const reference = String(compared.levels[0]);
  const notes = notesOf(model, main, compared);
  const all = [[main, main], ...runnerFigures] as const;
  const rows = all.flatMap(([name, title]) => rowsOf(model, groups, { name, title, compared, varying }));
  return [
    {
      id: 'runners',
      title: `What each runner costs, against ${reference}`,
      note: `Medians over the repetitions, and their differences with 95% intervals. Ready: from the call of the runner until every role answered; images were built before. Memory: private pages of all roles and their share of common pages, without the processes of an engine.${notes.map((note) => ` Note: ${note}.`).join('')}`,
      columns: [
        textColumn('figure'),
        ...[...varying, compared].map(({ name }) => textColumn(factorHeading(name))),
        ...['median', 'difference', '95% interval'].map(numberColumn),
        textColumn('verdict'),
      ],
      rows: rows.map(({ texts }) => texts),
      cells: rows.map(({ cells }) => cells),
    },
  ];
}

/** The factor that distinguishes runners; undefined where all cells have the same runner. */
export function comparedRunners({ factors, runs }: ReportModel): Factor | undefined {
  const varies = (name: string): Factor | undefined =>
    factors.find((factor) => factor.name === name && factor.levels.length > 1);
  // Older results do not name the runner: there was one.
  const runners = new Set(
    runs.map(({ record }) => (record.experiment as { runner?: unknown } | null)?.runner ?? runnerNames[0]),
  );
  return varies('runner') ?? (runners.size > 1 ? varies('run') : undefined);
}

function rowsOf(
  model: ReportModel,
  groups: readonly CellGroup[],
  { name, title, compared, varying }: { name: string; title: string; compared: Factor; varying: readonly Factor[] },
): { texts: string[]; cells: RowCells }[] {
  const metric = model.metrics.named(name);
  const comparisons = cellsByKey(model, name, compared);
  return groups.flatMap((group) => {
    const { factors, valid } = group;
    const values = valid.map((cell) => metric.read(cell) ?? Number.NaN).filter((value) => !Number.isNaN(value));
    if (values.length === 0) return [];
    const comparison = comparisons.get(cellKey(factors));
    const texts = [
      title,
      ...varying.map((factor) => String(factors[factor.name] ?? missing)),
      String(factors[compared.name]),
      formatValue(median(values), metric.unit),
      comparison ? formatDifference(comparison, metric) : missing,
      comparison ? formatDifferenceInterval(comparison, metric) : missing,
      comparison?.verdict ?? '',
    ];
    const own = model.groups.indexOf(group);
    const reference = referenceOf(model, group, compared);
    return [{ texts, cells: comparison && reference >= 0 ? { all: [reference, own] } : own }];
  });
}

/** Index of the cell that a cell is compared with: the same but for the first level of the factor; −1 without one. */
function referenceOf({ groups }: ReportModel, { factors }: CellGroup, { name, levels }: Factor): number {
  const key = cellKey({ ...factors, [name]: levels[0] as FactorLevel });
  return groups.findIndex((group) => cellKey(group.factors) === key);
}

/** Limitations of the comparison of a figure, such as privileges of one runner only. */
function notesOf(model: ReportModel, metric: string, compared: Factor): string[] {
  const comparisons = comparisonsOf(model, metric, compared);
  return [...new Set(comparisons.flatMap(({ comparison }) => comparison.notes))];
}

/** By key of the candidate's factors in the report. */
export function cellsByKey(model: ReportModel, metric: string, compared: Factor): Map<string, CellComparison> {
  return new Map(
    comparisonsOf(model, metric, compared).flatMap(({ run, comparison }) =>
      comparison.cells.map((cell) => {
        const levels = reportLevels(run, { factors: cell.factors, source: cell.source.candidate }, model.runs);
        return [cellKey(levels), cell] as const;
      }),
    ),
  );
}

/** Each with the run of its candidates. A figure that cannot be compared stands without differences. */
function comparisonsOf(
  { runs, metrics }: ReportModel,
  metric: string,
  compared: Factor,
): { run: RunFolder; comparison: RunComparison }[] {
  const options = { metric, metrics };
  const [first, ...others] = runs as [RunFolder, ...RunFolder[]];
  const attempt = (run: RunFolder, compare: () => RunComparison) => {
    try {
      return [{ run, comparison: compare() }];
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      return [];
    }
  };
  if (compared.name !== 'runner') {
    return others.flatMap((run) => attempt(run, () => compareRuns(first, run, options)));
  }
  const reference = String(compared.levels[0]);
  return runs.flatMap((run) => attempt(run, () => compareWithin(run, compared.name, { ...options, reference })));
}
