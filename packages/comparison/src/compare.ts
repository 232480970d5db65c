/** The comparisons of the verb `compare`: two runs, or two levels within one run. */
import { describeCell, type RunFolder } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type CellRepetitions, cellsOf, samplesOf } from './cell-samples.ts';
import { commonCells } from './common-factors.ts';
import { type CellComparison, type CompareSettings, compareCells } from './compare-cells.ts';
import { type CostOfRounds, costOfRounds } from './cost-of-rounds.ts';
import { foreignNotes, judgedPair, judgedPairs } from './foreign-rounds.ts';
import {
  areSideBySide,
  type CellPair,
  isSaturated,
  type Matching,
  matchLevels,
  matchRuns,
  saturationOf,
} from './match-cells.ts';
import type { Metric } from './metric.ts';
import { commonMetrics, type MetricTable } from './metric-table.ts';
import { privilegeNotes } from './privilege-notes.ts';
import { setupNotes } from './setup-differences.ts';

export interface CompareOptions extends CompareSettings {
  /** Name or alias; default: the table's default metric for these cells. */
  metric?: string;
  /** Known metrics; default: `commonMetrics`. */
  metrics?: MetricTable;
}

export interface RunComparison {
  metric: Metric;
  /** Relative difference that matters, as a fraction. */
  effect: number;
  cells: CellComparison[];
  /** Limitations of the comparison: different machines, cells without a partner, a run that is still running. */
  notes: string[];
  /** Remeasured repetitions, a sentence for each side. */
  measuredAgain: string[];
  cost: CostOfRounds;
}

export interface LevelComparison extends RunComparison {
  factor: string;
  reference: FactorLevels[string];
}

/**
 * Compares cells of two runs, matched by factors.
 * @throws TopoBenchError `TB_METRIC_UNKNOWN`, `TB_COMPARE_NO_COMMON_CELLS`, `TB_COMPARE_NO_VALID_REPETITION`
 */
export function compareRuns(baseline: RunFolder, candidate: RunFolder, options: CompareOptions = {}): RunComparison {
  const entries = [...baseline.cells, ...candidate.cells];
  const metrics = options.metrics ?? commonMetrics;
  const usual = metrics.defaultOf(entries);
  const metric = metrics.of(entries, options.metric ?? usual);
  const common = commonCells(baseline, candidate);
  const matching = matchRuns(common.baseline, common.candidate, areSideBySide(baseline, candidate));
  const cells = compareCells(matching.pairs, metric, { ...options, usual });
  const notes = [
    ...common.notes,
    ...setupNotes(baseline, candidate),
    ...statusNotes([baseline, candidate]),
    ...notesOn(matching, metric),
  ];
  const cost = costOfRounds([baseline, candidate]);
  return { metric, effect: options.effect ?? 0.05, cells, notes, measuredAgain: measuredAgainIn(matching), cost };
}

/**
 * Compares levels of one factor with a reference level, for each combination of the other factors.
 * @throws TopoBenchError as `compareRuns`, and `TB_EXPERIMENT_UNKNOWN_LEVEL`
 */
export function compareWithin(
  run: RunFolder,
  name: string,
  { reference, ...options }: CompareOptions & { reference?: string } = {},
): LevelComparison {
  const metrics = options.metrics ?? commonMetrics;
  const usual = metrics.defaultOf(run.cells);
  const metric = metrics.of(run.cells, options.metric ?? usual);
  const matching = matchLevels(cellsOf(run), name, reference);
  const { factor } = matching;
  const cells = compareCells(matching.pairs, metric, { ...options, usual });
  const notes = [...statusNotes([run]), ...grantNotesWithin(matching, factor), ...notesOn(matching, metric)];
  return {
    metric,
    effect: options.effect ?? 0.05,
    cells,
    notes,
    measuredAgain: measuredAgainIn(matching),
    cost: costOfRounds([run]),
    factor,
    reference: matching.reference,
  };
}

/** Privileges that only some levels of a factor had, such as those of processes but not of containers. */
function grantNotesWithin({ pairs, reference }: ReturnType<typeof matchLevels>, factor: string): string[] {
  const levels = new Set(pairs.map(({ factors }) => factors[factor] as FactorLevels[string]));
  return [...levels].flatMap((level) => {
    const own = pairs.filter(({ factors }) => factors[factor] === level);
    const cellsOf = (side: 'baseline' | 'candidate') => own.flatMap((pair) => pair[side].valid);
    return privilegeNotes(cellsOf('baseline'), cellsOf('candidate'), [`with ${reference}`, `with ${level}`]);
  });
}

/** A run that did not finish may lack its last rounds. */
export function statusNotes(runs: readonly RunFolder[]): string[] {
  return runs.flatMap(({ folder, record }) => [
    ...(record.status === 'finished' ? [] : [`${folder} is ${record.status}: only its finished repetitions take part`]),
    ...(record.extendedFrom
      ? [
          `${folder} got more repetitions after ${record.extendedFrom.join(' and ')} had been seen: adding them until a difference shows finds one more often than the stated rate`,
        ]
      : []),
  ]);
}

/**
 * Notes on cells without a partner, excluded repetitions, and simulated figures.
 * @param metric when given, repetitions without this figure are counted too
 */
export function notesOn({ pairs, onlyInBaseline, onlyInCandidate }: Matching, metric?: Metric): string[] {
  const mixed = pairs.filter(({ baseline, candidate }) => baseline.source !== candidate.source);
  const [first] = mixed;
  return [
    ...(first
      ? [
          `in ${count(mixed.length, 'cell')} the baseline is ${first.baseline.source} and the candidate ${first.candidate.source}`,
        ]
      : []),
    ...(pairs.some(({ baseline, candidate }) => baseline.source === 'simulated' && candidate.source === 'simulated')
      ? [simulatedNote]
      : []),
    ...unmatched(onlyInBaseline, 'baseline'),
    ...unmatched(onlyInCandidate, 'candidate'),
    ...leftOut(new Set(pairs.map(({ baseline }) => baseline)), 'baseline', metric),
    ...leftOut(new Set(pairs.map(({ candidate }) => candidate)), 'candidate', metric),
    ...(metric ? saturatedYetCompared(pairs, metric) : []),
    ...(metric ? foreignNotes(judgedPairs(pairs, metric, 0.05)) : []),
  ];
}

function leftOut(cells: ReadonlySet<CellRepetitions>, side: string, metric: Metric | undefined): string[] {
  const sum = (of: (cell: CellRepetitions) => number): number =>
    [...cells].reduce((total, cell) => total + of(cell), 0);
  const invalid = sum((cell) => cell.invalid.length);
  const missing = metric ? sum((cell) => samplesOf(cell, metric).missing) : 0;
  return [
    ...(invalid > 0 ? [`${count(invalid, 'invalid repetition')} of the ${side} left out`] : []),
    ...(missing > 0 ? [`${count(missing, 'repetition')} of the ${side} left out, without this figure`] : []),
  ];
}

/** For verdicts on one run, which is matched with none. */
export function simulatedNotes({ cells }: RunFolder): string[] {
  return cells.some(({ source }) => source === 'simulated') ? [simulatedNote] : [];
}

const simulatedNote = 'simulated, not measured: these figures come from a model';

/** Remeasured repetitions: their number, an example, and why its earlier measurement was discarded. */
export function measuredAgainNotes(cells: Iterable<CellRepetitions>, side?: string): string[] {
  const again = [...cells].flatMap(({ valid, invalid }) =>
    [...valid, ...invalid].filter(({ discarded = [] }) => discarded.length > 0),
  );
  const [first] = again;
  const [earlier] = first?.discarded ?? [];
  if (!first || !earlier) return [];
  const reason = earlier.validity.valid ? reasonOfValid(earlier.validity.flags) : earlier.validity.reasons.join('; ');
  const of = side === undefined ? '' : ` of the ${side}`;
  const verb = again.length === 1 ? 'was' : 'were';
  const example = [describeCell(first.factors), `repetition ${first.repetition}`].filter((text) => text !== '');
  return [`${count(again.length, 'repetition')}${of} ${verb} measured again, e.g. ${example.join(', ')}: ${reason}`];
}

/** As `measuredAgainNotes`, for both sides of a comparison. */
export function measuredAgainIn({ pairs }: Matching): string[] {
  const cellsOn = (side: 'baseline' | 'candidate'): Set<CellRepetitions> => new Set(pairs.map((pair) => pair[side]));
  return (['baseline', 'candidate'] as const).flatMap((side) => measuredAgainNotes(cellsOn(side), side));
}

function reasonOfValid(flags: readonly string[]): string {
  return flags.includes('foreign-load')
    ? 'other programs had the processors'
    : 'another level of its round was disturbed';
}

/** Closed loads are compared despite a saturated host, with this note. */
export function saturatedYetCompared(pairs: readonly CellPair[], metric: Metric): string[] {
  if (metric.isQueueless) return [];
  const judged = pairs.map((pair) => judgedPair(pair, metric, 0.05));
  const saturated = judged.filter(({ pair }) => isSaturated(pair) && saturationOf(pair, metric) === undefined);
  if (saturated.length === 0) return [];
  const cells = count(saturated.length, 'cell');
  return [`the host was saturated in ${cells}: its throughput is that of both ends together`];
}

function unmatched(cells: readonly FactorLevels[], side: string): string[] {
  const [first] = cells;
  return first ? [`${count(cells.length, 'cell')} only in the ${side}, e.g. ${JSON.stringify(first)}`] : [];
}

function count(number: number, what: string): string {
  return `${number} ${number === 1 ? what : `${what}s`}`;
}
