/** A decision from run folders: its record, the file that confirms it, and both as one document. */
import { access } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { compareWithin } from '@topo-bench/comparison';
import { type RunFolder, shellLine, suggestName, TopoBenchError } from '@topo-bench/core';
import type { ConfirmationInput } from '@topo-bench/core/schema/confirmation';
import type { DecisionDocument } from '@topo-bench/core/schema/decision';
import { readText } from '@topo-bench/experiment/read-inputs';
import { inputsOf } from '@topo-bench/experiment/run-record';
import { type DecisionFigures, type DecisionOption, type Price, simulatedText } from '@topo-bench/report';
import { openRun } from '@topo-bench/results';
import { studies, studyMetrics } from '@topo-bench/studies';
import { yamlText } from '@topo-bench/topology';
import { reportOfRuns } from '../report-of-runs.ts';
import { Workbench } from '../workbench.ts';
import { contextOf } from './context.ts';
import { factsInFiles, premisesOf, premiseTextsOf } from './premises.ts';
import { recordText } from './record-text.ts';
import { sensitivityOf } from './sensitivity.ts';
import { type SimulatedOptions, type SimulatedSensitivity, simulatedSensitivity } from './simulated-sensitivity.ts';

export interface DecideOptions {
  /** Path of the record. */
  file: string;
  /** Path of the file that confirms it. */
  confirmation: string;
  /** Name of the chosen option; default: the one that is shown to be best. */
  option?: string | undefined;
  title?: string | undefined;
  price?: Price | undefined;
  /** Notes of the meeting, for the record. */
  notes?: string | undefined;
  thresholds?: readonly string[] | undefined;
  /** Whether measured and simulated runs may stand in one record. */
  mixSources?: boolean | undefined;
  /** Adds the sensitivity by simulation. */
  simulation?: SimulatedOptions | undefined;
  date: Date;
}

export interface Decision {
  record: string;
  confirmation: string;
  document: DecisionDocument;
  /** The sensitivity by simulation, where it was asked for. */
  simulated?: SimulatedSensitivity;
}

/**
 * @throws TopoBenchError `TB_DECIDE_NOTHING_SHOWN` without an option; `TB_USAGE` for runs without options, unknown
 *   options and mixed sources; those of `openRun`
 */
export async function decide(folders: readonly string[], options: DecideOptions): Promise<Decision> {
  const runs = await Promise.all(folders.map((folder) => openRun(folder)));
  const source = sourceOf(runs, options.mixSources ?? false);
  const report = await reportOfRuns(runs, options.price ? { price: options.price } : {});
  const figures = report.study.decision?.();
  if (!figures || figures.factor === 'run' || figures.factor === 'source') throw noOptions(folders);
  const best = bestOf(figures);
  const chosen = chosenOf(figures, best, options.option);
  const alternative = alternativeOf(figures, chosen);
  const others = figures.options.filter((one) => one !== chosen && one.enforces).map(({ level }) => level);
  const asked = { factor: figures.factor, chosen: chosen.level, others };
  const sensitivity = sensitivityOf(runs, asked);
  const benches = runs.map(benchOf);
  const first = benches[0] as Workbench;
  requireOneExperiment(benches);
  const cells = benches.flatMap((bench) => bench.cells);
  const experiment = await experimentOf(first);
  const premises = premisesOf(cells, await factsInFiles(experiment, first.inputs.choices), sensitivity.limits);
  const thresholds = [...(options.thresholds ?? defaultThresholds(runs, figures.factor, chosen, alternative))];
  const { sentences = [], table, onTable = [] } = report.study.summary?.() ?? {};
  const validity = validityText(runs);
  const rates = cells.flatMap(({ settings: { load } }) => (load.driver === 'open' ? [load.rate] : []));
  if (options.simulation && rates.length === 0) throw noRates();
  const simulated =
    options.simulation &&
    (await simulatedSensitivity(experiment, first.inputs.choices, asked, rates, options.simulation));
  const all = [...sensitivity.sentences, ...(simulated?.sentences ?? [])];
  const simulations = [...new Set([simulatedText(runs), simulated?.simulation].filter((text) => text !== undefined))];
  const command = shellLine(['topo-bench', 'confirm', fromHere(options.confirmation)]);
  const commands = [...folders.map((folder) => shellLine(['topo-bench', 'report', folder])), ...runs.map(commandOf)];
  const context = contextOf(cells, figures.factor, options.price);
  const record = recordText({
    ...context,
    date: options.date.toISOString().slice(0, 10),
    title: options.title ?? `${context.title}: ${chosen.name}`,
    options: figures.options,
    chosen: chosen.name,
    justification: justificationOf(figures, chosen, best, source),
    answer: sentences,
    table,
    onTable,
    remarks: [validity, ...simulations],
    sensitivity: all,
    confirmation: { command, premises: premiseTextsOf(premises), thresholds },
    sources: runs.map(sourceText),
    notes: (options.notes ?? '').split('\n').flatMap((line) => line.trim() || []),
    commands,
  });
  const confirmation = confirmationText(runs[0] as RunFolder, options, experiment, {
    ...{ factor: figures.factor, chosen: chosen.level, alternative: alternative.level },
    source: source === 'simulated' ? 'simulated' : 'measured',
    premises,
    thresholds,
  });
  const document: DecisionDocument = {
    record: options.file,
    confirmation: options.confirmation,
    factor: figures.factor,
    chosen: chosen.level,
    byHand: best !== chosen,
    best: best?.level ?? null,
    settings: figures.settings,
    ...{ source, simulation: simulations.length > 0 ? simulations.join(' ') : null, validity },
    answer: [...sentences, ...onTable],
    options: figures.options.map(({ name: _name, medianUs, arguments: all, ...option }) => ({
      ...option,
      medianUs: Number.isFinite(medianUs) ? medianUs : null,
      arguments: [...all],
    })),
    sensitivity: all,
    ...{ premises, thresholds, commands },
  };
  return { record, confirmation, document, ...(simulated && { simulated }) };
}

/** @throws TopoBenchError `TB_USAGE` for mixed sources that were not asked for */
function sourceOf(runs: readonly RunFolder[], mixed: boolean): DecisionDocument['source'] {
  const sources = new Set(runs.flatMap(({ cells }) => cells.map(({ source }) => source)));
  if (sources.size < 2) return [...sources][0] ?? 'measured';
  if (mixed) return 'both';
  throw new TopoBenchError('TB_USAGE', 'some of the runs are measured and others simulated', {
    hint: 'name runs of one kind, or add --mix-sources: both then stand in the record, marked',
  });
}

function noOptions(folders: readonly string[]): TopoBenchError {
  const message = `nothing to decide in ${folders.join(', ')}: no architecture or other factor with a figure varies`;
  return new TopoBenchError('TB_USAGE', message, {
    hint: 'name a run of a routing study with two options or more, e.g. of `topo-bench run quickstart`',
  });
}

function noRates(): TopoBenchError {
  const message = '--calibration simulates arrivals at a rate: every run has a closed load';
  return new TopoBenchError('TB_USAGE', message, {
    hint: 'leave out --calibration, or name a run whose load has `driver: open`',
  });
}

/** The texts of the run, without the passwords that it did not store: nothing is deployed. */
function benchOf({ record, folder }: RunFolder): Workbench {
  const inputs = inputsOf(record);
  return new Workbench({
    file: inputs.experiment.file,
    inputs,
    folder,
    studies,
    read: readText,
    choices: inputs.choices,
  });
}

/** The confirmation measures one experiment again. */
function requireOneExperiment(benches: readonly Workbench[]): void {
  const [first, other] = [...new Set(benches.map(({ inputs }) => inputs.experiment.file))];
  if (other === undefined) return;
  throw new TopoBenchError('TB_USAGE', `the runs are of two experiments: got ${first} and ${other}`, {
    hint: 'decide on runs of one experiment, whose confirmation can be measured again',
  });
}

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` for an experiment that is no longer where the run was started from */
async function experimentOf(bench: Workbench): Promise<string> {
  const { file } = bench.inputs.experiment;
  await access(file).catch((cause: unknown) => {
    throw new TopoBenchError('TB_FILE_NOT_FOUND', `cannot read ${file}, the experiment of the run`, {
      hint: 'go to the folder where the run was started: the confirmation measures the experiment again',
      cause,
    });
  });
  return file;
}

/** The options that a reader may choose: also a baseline. */
function chosenOf(
  { options, factor }: DecisionFigures,
  best: DecisionOption | undefined,
  name: string | undefined,
): DecisionOption {
  const names = options.map(({ level }) => String(level));
  if (name !== undefined) {
    const found = options.find((one) => String(one.level) === name || one.name === name);
    if (found) return found;
    throw new TopoBenchError('TB_USAGE', `--option ${name}: no option of these runs has this name`, {
      hint: suggestName(name, names, `levels of ${factor}`),
    });
  }
  if (best) return best;
  const message = `no option is shown to be the fastest in the runs: got ${names.join(', ')}`;
  throw new TopoBenchError('TB_DECIDE_NOTHING_SHOWN', message, {
    hint: `choose one yourself, which the record then states: --option ${names.at(-1)}`,
  });
}

/** Shown to be the lowest in at least one setting, while no other one is in any. */
function bestOf({ options }: DecisionFigures): DecisionOption | undefined {
  const [first, ...others] = options.filter(({ shownLowestIn }) => shownLowestIn > 0);
  return others.length === 0 ? first : undefined;
}

/** The one with the lowest median among the others, preferably of those that enforce. */
function alternativeOf({ options }: DecisionFigures, chosen: DecisionOption): DecisionOption {
  const others = options.filter((one) => one !== chosen);
  const enforcing = others.filter(({ enforces }) => enforces);
  const byTime = (a: DecisionOption, b: DecisionOption): number => orderOf(a) - orderOf(b);
  return [...(enforcing.length > 0 ? enforcing : others)].sort(byTime)[0] as DecisionOption;
}

function orderOf({ medianUs }: DecisionOption): number {
  return Number.isNaN(medianUs) ? Number.POSITIVE_INFINITY : medianUs;
}

function justificationOf(
  { settings, options }: DecisionFigures,
  chosen: DecisionOption,
  best: DecisionOption | undefined,
  source: DecisionDocument['source'],
): string {
  const how = source === 'both' ? 'measured and simulated' : source;
  const where = settings === 1 ? '' : ` in ${chosen.shownLowestIn} of ${settings} settings`;
  const shown = `it is shown to have the lowest median round-trip time of the options that enforce rules${where} (${how})`;
  if (chosen === best) return shown;
  if (best)
    return `it was chosen by hand, although ${best.name} is shown to have the lowest median round-trip time${settings === 1 ? '' : ` in ${best.shownLowestIn} of ${settings} settings`} (${how})`;
  const differing = options.filter(({ shownLowestIn }) => shownLowestIn > 0).map(({ name }) => name);
  if (differing.length > 0)
    return `it was chosen by hand: which option is the fastest depends on the setting (${differing.join(', ')}; ${how})`;
  return `it was chosen by hand: none of the options that enforce rules is shown to be the fastest (${how})`;
}

/** Least relative change that a gate on a shared machine can separate from noise. */
const smallestPercent = 5;

/**
 * The chosen option may be slower than the alternative by what the runs leave open, and by no more: the upper end of
 * the interval, in %, and what a gate can show.
 */
function defaultThresholds(
  runs: readonly RunFolder[],
  factor: string,
  chosen: DecisionOption,
  alternative: DecisionOption,
): string[] {
  const upper = runs.flatMap((run) => upperEnds(run, factor, chosen, alternative));
  const percent = Math.max(smallestPercent, ...upper.map((end) => Math.ceil(end) + smallestPercent));
  return [`rtt.median < +${percent}%`];
}

function upperEnds(run: RunFolder, factor: string, chosen: DecisionOption, alternative: DecisionOption): number[] {
  try {
    const { cells } = compareWithin(run, factor, {
      ...{ reference: String(alternative.level), metric: 'rtt.median', metrics: studyMetrics },
    });
    const own = cells.filter(({ factors }) => factors[factor] === chosen.level);
    const ends = own.map(({ intervalPercent: [, high], differencePercent }) =>
      Number.isFinite(high) ? high : differencePercent,
    );
    return ends.filter(Number.isFinite);
  } catch (error) {
    if (error instanceof TopoBenchError) return [];
    throw error;
  }
}

function validityText(runs: readonly RunFolder[]): string {
  const all = runs.flatMap(({ cells }) => cells);
  const invalid = all.filter(({ validity }) => !validity.valid);
  const [reason] = invalid.flatMap(({ validity }) => validity.reasons);
  if (invalid.length === 0) return `All ${all.length} repetitions are valid.`;
  return `${all.length - invalid.length} of ${all.length} repetitions are valid; others are in no figure, the first because: ${reason}.`;
}

function commandOf({ record: { command } }: RunFolder): string {
  return shellLine(['topo-bench', ...command]);
}

function sourceText({ folder, record }: RunFolder): string {
  const { topoBench, cpuModel, cores, node } = record.environment;
  const done = record.simulation ? 'computed' : 'measured';
  return `${folder}: ${record.name}, ${done} on ${record.startedAt.slice(0, 10)} with topo-bench ${topoBench} and Node.js ${node} on ${cores} cores of ${cpuModel}`;
}

type OfDecision = Pick<ConfirmationInput, 'factor' | 'chosen' | 'alternative' | 'source' | 'premises' | 'thresholds'>;

function confirmationText(
  { record, folder: _ }: RunFolder,
  { file, confirmation }: DecideOptions,
  experiment: string,
  parts: OfDecision,
): string {
  const { set = {}, only = {} } = inputsOf(record).choices;
  const place = (path: string): string => relative(dirname(resolve(confirmation)), resolve(path));
  const document: ConfirmationInput = {
    apiVersion: 'topo-bench/v1',
    kind: 'Confirmation',
    name: record.name,
    record: place(file),
    experiment: place(experiment),
    ...(Object.keys(set).length > 0 && { set }),
    ...(Object.keys(only).length > 0 && { only: only as ConfirmationInput['only'] }),
    ...parts,
  };
  return `# Checked by topo-bench confirm: premises and thresholds of the decision in ${place(file).replaceAll(/\s+/g, ' ')}.\n${yamlText(document)}`;
}

function fromHere(path: string): string {
  return relative('.', path) || path;
}
