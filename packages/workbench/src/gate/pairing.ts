/** Two sides of one experiment, measured in turns until the spread of their pairs allows a verdict. */
import { resolve } from 'node:path';
import { type GateResult, type GateSettings, gate, smallestDifference, type Threshold } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import type { ExperimentInputs } from '@topo-bench/experiment/read-inputs';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import { readRef, resolveSides, runSideBySide, withSmallestDifference } from '@topo-bench/experiment/side-by-side';
import type { Report, ReportOptions } from '@topo-bench/report';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import { studyMetrics } from '@topo-bench/studies';
import type { RunEvent, Sides } from '@topo-bench/trial';
import type { Opened } from '../opened.ts';
import { reportOfRuns } from '../report-of-runs.ts';
import type { Following, Setting } from '../setting.ts';
import { thresholdsOf } from './gate-thresholds.ts';
import { GateProfiles, type ProfiledEvent, type ProfileWhen } from './profiles.ts';
import { isEnough, type Progress, progressOf, type Stop, stopNotes, stopOf } from './progress.ts';
import { remedyOf } from './remedies.ts';

export interface ChosenSide {
  /** Directory, topology file or command in place of what the experiment has. */
  ref?: string | undefined;
  /** Fields of the topology with other values on this side. */
  set?: Readonly<Record<string, unknown>>;
  /** Recorded as the name of the side; default: its ref, or that the experiment stands as it is. */
  name?: string;
}

export interface GateChoices extends Sides<ChosenSide> {
  /** In place of those of the experiment. */
  thresholds?: readonly string[] | undefined;
}

/** After every round: the valid pairs so far, and how many this spread needs. */
export interface PairsEvent {
  kind: 'pairs';
  have: number;
  needed: number;
}

export interface GateOptions extends Setting, Following<RunEvent | PairsEvent | ProfiledEvent> {
  /** Parent of the folders of both sides; default: `runs/<name>-gate-<time>`. */
  folder?: string | undefined;
  /** No round of pairs starts that would end later, and a later one is cut off; in µs. */
  maxTimeUs: number;
  /** Measures until the time is up, however small the spread. */
  wholeTime?: boolean;
  /** When the functions behind the difference are looked for, in more pairs. Default: never. */
  profile?: ProfileWhen | undefined;
}

/** Both sides, with all that was measured in memory. */
export interface MeasuredPairs extends Sides<RunFolder> {
  folder: string;
  thresholds: readonly Threshold[];
  /** Why the measurement stopped, and what it left out, one sentence each. */
  notes: readonly string[];
  /** Absent if no round ended. */
  stopped?: Stop;
  pairs: number;
  seconds: number;
  judged(): Gate;
  /** One report with both sides. */
  report(options?: Omit<ReportOptions, 'metrics'>): Promise<Report>;
}

export interface Gate extends MeasuredPairs {
  result: GateResult;
}

export interface Pairing {
  sides: Sides<ResolvedExperiment>;
  thresholds: readonly Threshold[];
  /** Where the runs go without a choice of a folder. */
  folder: string;
  /** @throws TopoBenchError as `runSideBySide` */
  measure(options: GateOptions): Promise<MeasuredPairs>;
}

export async function pairingOf(
  { file, choices, studies, read }: Opened,
  { topology }: ExperimentInputs,
  { baseline, candidate, thresholds: chosen }: GateChoices,
): Promise<Pairing> {
  const files = { experiment: file, ...(topology && { topology: resolve(topology.file) }) };
  const sideOf = async ({ ref, set = {} }: ChosenSide) => ({
    ...(ref !== undefined && { ref: await readRef(ref, files) }),
    set,
  });
  const given = { baseline: await sideOf(baseline), candidate: await sideOf(candidate) };
  const asWritten = await resolveSides(file, choices, given, studies, read);
  const thresholds = thresholdsOf(chosen, asWritten.candidate.experiment.thresholds);
  const sides = withSmallestDifference(asWritten, smallestDifference(thresholds));
  const refs = { baseline: nameOf(baseline), candidate: nameOf(candidate) };
  const folder = defaultRunFolder(`${sides.candidate.experiment.name}-gate`, new Date());
  const measure = (options: GateOptions) =>
    measurePairs(sides, thresholds, refs, { ...options, folder: options.folder ?? folder });
  return { sides, thresholds, folder, measure };
}

function nameOf({ name, ref }: ChosenSide): string {
  return name ?? ref ?? 'the experiment as it stands';
}

async function measurePairs(
  sides: Sides<ResolvedExperiment>,
  thresholds: readonly Threshold[],
  refs: Sides<string>,
  {
    backends,
    signal = new AbortController().signal,
    wholeTime = false,
    profile,
    ...options
  }: GateOptions & { folder: string },
): Promise<MeasuredPairs> {
  const { folder, maxTimeUs, onEvent } = options;
  const startMs = performance.now();
  let progress: Progress | undefined;
  const profiles = new GateProfiles(sides);
  const runs = await runSideBySide(sides, {
    ...options,
    refs,
    signal,
    backend: await backends(folder),
    enough: (measured, time) => {
      progress = progressOf(measured, thresholds, time);
      if (wholeTime) return progress.broken;
      onEvent?.({ kind: 'pairs', have: progress.have, needed: progress.pairs });
      return isEnough(progress);
    },
    profile:
      profile &&
      profiles.plan(
        profile,
        (measured) => judge(measured, thresholds),
        (event) => onEvent?.(event),
      ),
  });
  const last = progress as Progress | undefined;
  const measured = {
    ...runs,
    folder,
    thresholds,
    notes: last ? stopNotes(last, maxTimeUs / 1e6) : [],
    ...(last && { stopped: stopOf(last) }),
    pairs: runs.candidate.record.repetitions,
    seconds: (performance.now() - startMs) / 1e3,
    report: (how?: Omit<ReportOptions, 'metrics'>) => reportOfRuns([runs.baseline, runs.candidate], how),
  };
  const judged = (): Gate => ({ ...measured, judged, result: judgePairs() });
  // Only why it stopped has a forecast then: the number of pairs follows their spread and the share that was usable.
  function judgePairs(): GateResult {
    const forecast = measured.stopped?.reason !== 'max-time';
    const result = judge(runs, thresholds, measured.notes, { forecast });
    const profiled = profiles.addedTo(result);
    const remedy = result.verdict === 'cannot tell' ? remedyOf(runs, thresholds) : undefined;
    return remedy === undefined ? profiled : { ...profiled, notes: [...profiled.notes, remedy] };
  }
  return { ...measured, judged };
}

/** @param notes to add in front of those of the verdict */
export function judge(
  { baseline, candidate }: { baseline: RunFolder | undefined; candidate: RunFolder },
  thresholds: readonly Threshold[],
  notes: readonly string[] = [],
  settings: GateSettings = {},
): GateResult {
  const result = gate(candidate, baseline, thresholds, studyMetrics, settings);
  return { ...result, notes: [...notes, ...result.notes] };
}
