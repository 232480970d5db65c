/** Checks a decision again: its premises now, and its thresholds on new measurements or on given runs. */
import { dirname, resolve } from 'node:path';
import type { GateResult, Threshold } from '@topo-bench/comparison';
import { cellKey, type RunFolder, TopoBenchError } from '@topo-bench/core';
import { type Confirmation, confirmationFile, premiseNames } from '@topo-bench/core/schema/confirmation';
import type { FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { type Choices, readText } from '@topo-bench/experiment/read-inputs';
import { openRun } from '@topo-bench/results';
import { readDocument } from '@topo-bench/topology';
import type { SideName } from '@topo-bench/trial';
import { factsInFiles } from '../decide/premises.ts';
import { thresholdsOf } from '../gate/gate-thresholds.ts';
import { judge, type Pairing } from '../gate/pairing.ts';
import { open } from '../open.ts';
import { observedValues } from './observed-metrics.ts';
import { premiseResults, unobservedResults } from './premise-results.ts';

export interface OpenedConfirmation extends Confirmation {
  file: string;
  /** Absolute path of its experiment. */
  experiment: string;
}

/** @throws TopoBenchError `TB_FILE_NOT_FOUND`, or with all problems of the file */
export async function openConfirmation(path: string): Promise<OpenedConfirmation> {
  const { text, file } = await readText(path);
  const { value, problems } = readDocument(confirmationFile, text, file);
  if (!value) throw problemsError(file, problems);
  return { ...value, file, experiment: resolve(dirname(path), value.experiment) };
}

/**
 * @param metrics path of a file with observed values
 * @param alone whether nothing else is checked: premises that nothing observed are then undecided
 * @throws TopoBenchError `TB_CONFIRM_METRICS`, and for problems of the files that the premises are about
 */
export async function checkPremises(
  { premises, experiment, set, only, factor }: OpenedConfirmation,
  metrics: string | undefined,
  alone: boolean,
): Promise<GateResult> {
  const observed = metrics === undefined ? undefined : observedValues(await readText(metrics));
  const needsFiles = premiseNames.some((name) => premises[name]?.from === 'files');
  const inFiles = needsFiles ? await factsInFiles(experiment, choicesWithout(factor, set, only)) : undefined;
  const { results, unobserved } = premiseResults(premises, inFiles, observed);
  if (alone) {
    const thresholds = [...results, ...unobservedResults(premises, unobserved)];
    return { verdict: worstOf(thresholds), thresholds, notes: [], subject };
  }
  const notes =
    unobserved.length === 0 ? [] : [`not observed: ${unobserved.join(', ')}; give their values with --metrics FILE`];
  return { verdict: worstOf(results), thresholds: results, notes, subject };
}

const subject = 'confirmation';

function worstOf(results: GateResult['thresholds']): GateResult['verdict'] {
  const has = (verdict: GateResult['verdict']): boolean => results.some((one) => one.verdict === verdict);
  return has('failed') ? 'failed' : has('cannot tell') || results.length === 0 ? 'cannot tell' : 'passed';
}

/** Premises and thresholds as one result. */
export function joined(premises: GateResult, thresholds: GateResult): GateResult {
  const all = [...premises.thresholds, ...thresholds.thresholds];
  return { verdict: worstOf(all), thresholds: all, notes: [...premises.notes, ...thresholds.notes], subject };
}

/** Both options of the decision, to be measured in turns. Throws as `Workbench.pair`. */
export async function pairOptions(opened: OpenedConfirmation): Promise<Pairing> {
  const { experiment, set, only, factor, chosen, alternative, thresholds } = opened;
  const bench = await open({ experiment }, choicesWithout(factor, set, only));
  return bench.pair({
    baseline: { set: { [factor]: alternative }, name: `${factor} ${alternative}` },
    candidate: { set: { [factor]: chosen }, name: `${factor} ${chosen}` },
    thresholds,
  });
}

/** Each side has one level of the factor. */
function choicesWithout(factor: string, set: Choices['set'], only: Choices['only']): Choices {
  const others = Object.entries(only ?? {}).filter(([name]) => name !== factor);
  return { ...(set && { set }), only: Object.fromEntries(others) };
}

/**
 * The thresholds on a run that has both options as levels.
 * @throws TopoBenchError `TB_EXPERIMENT_UNKNOWN_LEVEL` for a run without one of them; those of `gate`
 */
export async function judgeRun(opened: OpenedConfirmation, folder: string): Promise<GateResult> {
  const run = await openRun(folder);
  const { factor, chosen, alternative, source } = opened;
  const [baseline, candidate] = [
    levelOf(run, factor, alternative, 'baseline'),
    levelOf(run, factor, chosen, 'candidate'),
  ];
  const thresholds: Threshold[] = thresholdsOf(opened.thresholds, undefined, candidate.cells);
  const own = run.cells[0]?.source ?? 'measured';
  const notes = own === source ? [] : [`the decision rests on ${source} figures, and ${folder} is ${own}`];
  return judge({ baseline, candidate }, thresholds, notes);
}

/** The cells of one level as a run of its own: one side of repetitions that are paired by number. */
function levelOf(run: RunFolder, factor: string, level: FactorLevels[string], side: SideName): RunFolder {
  const { record, cells, folder } = run;
  const without = ({ [factor]: _level, ...others }: FactorLevels): FactorLevels => others;
  const own = cells.filter(({ factors }) => factors[factor] === level);
  if (own.length === 0) {
    const found = [...new Set(record.plannedCells.map((one) => String(one[factor])))];
    throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `${folder} has no cell with ${factor} ${level}`, {
      hint: `the decision compares both options; levels of this run: ${found.join(', ')}`,
    });
  }
  const planned = new Map(
    record.plannedCells.flatMap((one) => (one[factor] === level ? [[cellKey(without(one)), without(one)]] : [])),
  );
  const half: RunRecord = {
    ...record,
    plannedCells: [...planned.values()],
    sideBySide: { id: folder, side, ref: `${factor} ${level}` },
  };
  return { folder, record: half, cells: own.map((cell) => ({ ...cell, factors: without(cell.factors) })) };
}
