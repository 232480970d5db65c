/** The gate: judges a candidate by absolute and relative thresholds. All relative thresholds share one error rate. */
import { counted, type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { checkAbsolute } from './absolute-threshold.ts';
import { type CellRepetitions, cellsOf } from './cell-samples.ts';
import {
  measuredAgainIn,
  measuredAgainNotes,
  notesOn,
  saturatedYetCompared,
  simulatedNotes,
  statusNotes,
} from './compare.ts';
import { type CostOfRounds, costOfRounds } from './cost-of-rounds.ts';
import { failedBy, failingNotes, failsMostly, isFailing, withFailing } from './failing-cells.ts';
import { foreignNotes, judgedPair } from './foreign-rounds.ts';
import type { GateResult, ThresholdResult } from './gate-result.ts';
import { areSideBySide, type CellPair, type Matching, matchRuns, saturationOf } from './match-cells.ts';
import { commonMetrics, type MetricTable } from './metric-table.ts';
import { gateAlpha } from './pairs-for-limit.ts';
import { checkRelative } from './relative-threshold.ts';
import { setupNotes } from './setup-differences.ts';
import type { Threshold } from './threshold.ts';

/**
 * Checks every threshold. The overall verdict is the worst one: failed, then cannot tell, then passed.
 * @param baseline may be absent when all thresholds are absolute
 * @param metrics known metrics
 * @throws TopoBenchError `TB_GATE_NO_BASELINE`, `TB_GATE_SOURCES`, `TB_COMPARE_NO_COMMON_CELLS`,
 *   `TB_COMPARE_NO_VALID_REPETITION`, `TB_METRIC_UNKNOWN`
 */
export function gate(
  candidate: RunFolder,
  baseline: RunFolder | undefined,
  thresholds: readonly Threshold[],
  metrics: MetricTable = commonMetrics,
  { forecast = true }: GateSettings = {},
): GateResult {
  const relative = thresholds.filter(({ kind }) => kind === 'relative');
  const matching = relative.length > 0 ? matchBaseline(candidate, baseline, relative) : undefined;
  const cells = cellsOf(candidate);
  requireFigures(candidate, thresholds, metrics, (entry) => entry.validity.valid || isFailing(entry));
  const costOfBoth = costOfRounds(baseline ? [candidate, baseline] : [candidate]);
  const costOfOne = costOfRounds([candidate]);
  const judged = thresholds.map((threshold) =>
    settled(threshold, () =>
      threshold.kind === 'relative'
        ? judgeRelative(threshold, matching?.pairs ?? [], {
            alpha: gateAlpha / relative.length,
            cost: costOfBoth,
            forecast,
          })
        : judgeAbsolute(threshold, cells, { alpha: gateAlpha, cost: costOfOne, forecast }),
    ),
  );
  const [first] = judged;
  if (first?.error && judged.every(({ error }) => error)) throw first.error;
  const results = judged.map(({ result }) => result);
  return {
    verdict: worstOf(results),
    thresholds: results,
    notes: [
      ...notesFor(candidate, baseline, matching),
      ...failingNotes(cells),
      ...saturationNotes(cells, matching, relative),
    ],
  };
}

export interface GateSettings {
  /** Whether undecided thresholds have the number of repetitions that would tell; false where the caller has one. */
  forecast?: boolean;
}

interface JudgeSettings {
  alpha: number;
  cost?: CostOfRounds;
  forecast: boolean;
}

/** A threshold without figures to judge has no verdict, and takes none from the others. */
function settled(
  { text, metric, kind, limit }: Threshold,
  judge: () => ThresholdResult,
): { result: ThresholdResult; error?: TopoBenchError } {
  try {
    return { result: judge() };
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_COMPARE_NO_VALID_REPETITION') throw error;
    const head = { threshold: text, metric: metric.name, kind, limit };
    return { result: { ...head, verdict: 'cannot tell', reason: error.message, cells: [] }, error };
  }
}

function judgeRelative(threshold: Threshold, pairs: readonly CellPair[], settings: JudgeSettings): ThresholdResult {
  const failing = pairs.filter(({ baseline, candidate }) => failsMostly(candidate) && !failsMostly(baseline));
  if (failing.length === 0) return checkRelative(threshold, pairs, settings);
  const cells = failing.map(({ candidate }) => candidate);
  return failedBy(threshold, cells, pairs.length);
}

function judgeAbsolute(
  threshold: Threshold,
  cells: readonly CellRepetitions[],
  settings: JudgeSettings,
): ThresholdResult {
  if (threshold.metric.countsFailures) return checkAbsolute(threshold, cells.map(withFailing), settings);
  const failing = cells.filter(failsMostly);
  return failing.length > 0 ? failedBy(threshold, failing, cells.length) : checkAbsolute(threshold, cells, settings);
}

function matchBaseline(
  candidate: RunFolder,
  baseline: RunFolder | undefined,
  relative: readonly Threshold[],
): Matching {
  if (!baseline) {
    throw new TopoBenchError(
      'TB_GATE_NO_BASELINE',
      `${relative.map(({ text }) => JSON.stringify(text)).join(', ')}: relative to a baseline, and there is none`,
      {
        hint: 'name a run folder or a saved baseline with --baseline, or give bounds such as rtt.p95 < 20ms',
      },
    );
  }
  const matching = matchRuns(cellsOf(baseline), cellsOf(candidate), areSideBySide(baseline, candidate));
  const mixed = matching.pairs.find((pair: CellPair) => pair.baseline.source !== pair.candidate.source);
  if (mixed) {
    throw new TopoBenchError(
      'TB_GATE_SOURCES',
      `the baseline is ${mixed.baseline.source}, the candidate ${mixed.candidate.source}`,
      {
        hint: 'gate measured runs against measured ones, and simulated runs against simulated ones',
      },
    );
  }
  return matching;
}

/**
 * Rejects runs without a repetition to judge, and metrics that no cell has. A misspelt role is an error of the
 * threshold, not a missing figure.
 * @param isJudged default: valid repetitions
 */
export function requireFigures(
  candidate: RunFolder,
  thresholds: readonly Threshold[],
  metrics: MetricTable,
  isJudged = (entry: Cell): boolean => entry.validity.valid,
): void {
  const judged = candidate.cells.filter(isJudged);
  if (judged.length === 0) {
    const reason = candidate.cells.flatMap(({ validity }) => validity.reasons)[0];
    throw new TopoBenchError('TB_COMPARE_NO_VALID_REPETITION', `${candidate.folder} has no valid repetition to judge`, {
      hint: reason === undefined ? 'it has no finished repetition at all' : `the first reason: ${reason}`,
    });
  }
  for (const { metric } of thresholds) metrics.of(judged, metric.name);
}

function worstOf(results: readonly ThresholdResult[]): GateResult['verdict'] {
  if (results.some(({ verdict }) => verdict === 'failed')) return 'failed';
  return results.some(({ verdict }) => verdict === 'cannot tell') ? 'cannot tell' : 'passed';
}

function notesFor(candidate: RunFolder, baseline: RunFolder | undefined, matching: Matching | undefined): string[] {
  return [
    ...(baseline && matching ? setupNotes(baseline, candidate) : []),
    ...statusNotes(baseline && matching ? [baseline, candidate] : [candidate]),
    ...(matching
      ? [...notesOn(matching), ...measuredAgainIn(matching)]
      : [...simulatedNotes(candidate), ...measuredAgainNotes(cellsOf(candidate))]),
  ];
}

/** Cells on a saturated host: how many the relative thresholds exclude, and how many they judge nevertheless. */
function saturationNotes(
  candidate: readonly CellRepetitions[],
  matching: Matching | undefined,
  relative: readonly Threshold[],
): string[] {
  const pairs = matching?.pairs ?? [];
  const isLeftOut = (pair: CellPair): boolean =>
    relative.some(({ metric }) => saturationOf(judgedPair(pair, metric, gateAlpha).pair, metric) !== undefined);
  const left = matching ? pairs.filter(isLeftOut).length : candidate.filter(({ full }) => full.size > 0).length;
  return [
    ...(left > 0 ? [`the host was saturated in ${counted(left, 'cell')}: relative thresholds leave it out`] : []),
    ...new Set(
      relative.flatMap(({ metric }) => foreignNotes(pairs.map((pair) => judgedPair(pair, metric, gateAlpha)))),
    ),
    ...new Set(relative.flatMap(({ metric }) => saturatedYetCompared(pairs, metric))),
  ];
}
