/** `gate --experiment`: measures pairs of baseline and candidate until their spread allows a verdict. */
import { join, resolve } from 'node:path';
import { smallestDifference, type Threshold } from '@topo-bench/comparison';
import { cellKey, describeCell, formatError, formatLocation, type RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { type ResolvedExperiment, readInputs } from '@topo-bench/experiment';
import { readRef, resolveSides, runSideBySide, withSmallestDifference } from '@topo-bench/experiment/side-by-side';
import { measuredBackend } from '@topo-bench/measured';
import { readReport, writeReport } from '@topo-bench/report';
import { defaultRunFolder } from '@topo-bench/results';
import { runnersWith } from '@topo-bench/runners';
import { studies, studyMetrics, studyReportOf } from '@topo-bench/studies';
import { type Backend, type ExperimentCell, type Sides, sideNames } from '@topo-bench/trial';
import { pageScript } from '../../built-files.ts';
import { choicesOf } from '../../choices.ts';
import { formatSeconds } from '../../format-seconds.ts';
import { interruptible } from '../../interrupt.ts';
import { requireOneRunner } from '../../one-runner.ts';
import { parsedValue } from '../../option-values.ts';
import { note, progressLine } from '../../output.ts';
import { runnerOptionsOf } from '../../runner-option.ts';
import { findFile } from '../../shipped-files.ts';
import { version } from '../../version.ts';
import { thresholdsFor } from './gate-thresholds.ts';
import type { GateFlags } from './options.ts';
import { isEnough, type Progress, progressOf, type Stop, stopNotes, stopOf } from './progress.ts';

export interface SidesToMeasure {
  sides: Sides<ResolvedExperiment>;
  thresholds: readonly Threshold[];
}

export interface MeasuredSides extends Sides<RunFolder> {
  thresholds: readonly Threshold[];
  /** Why the gate stopped, and what it left out. */
  notes: readonly string[];
  more: { runDir: string; report?: string; pairs: number; seconds: number; stopped?: Stop };
}

/** Reports every problem of flags and files. */
export async function sidesToMeasure(experiment: string, flags: GateFlags): Promise<SidesToMeasure> {
  const sides = await sidesOf(await findFile('experiments', experiment), flags);
  const thresholds = thresholdsFor(sides.candidate.experiment.thresholds, flags);
  return { sides: withSmallestDifference(sides, smallestDifference(thresholds)), thresholds };
}

export interface MeasureOptions {
  /** Measures until the time is up, however small the spread. */
  wholeTime?: boolean;
  /** Default: the backend of real processes, with its logs in the folder. */
  backend?: Backend | undefined;
}

export async function measureSides(
  { sides, thresholds }: SidesToMeasure,
  flags: GateFlags,
  { wholeTime = false, ...options }: MeasureOptions = {},
): Promise<MeasuredSides> {
  const { candidate } = sides;
  for (const { message, ...place } of candidate.warnings) note(`warning: ${formatLocation(place)}: ${message}`);
  const folder = flags.out ?? defaultRunFolder(`${candidate.experiment.name}-gate`, new Date());
  const backend =
    options.backend ?? measuredBackend({ studies, runnerNamed: runnersWith(runnerOptionsOf(flags)), logsDir: folder });
  progressLine(`both sides in turns, for ${formatSeconds(flags.maxTime / 1e6)} at most · ${folder}`);
  const startMs = performance.now();
  const figuresOf = figuresOfCells(candidate.cells);
  let progress: Progress | undefined;
  let pairs = 0;
  const runs = await interruptible(
    (signal) =>
      runSideBySide(sides, {
        folder,
        backend,
        signal,
        version: version(),
        command: process.argv.slice(2),
        refs: refsOf(flags),
        maxTimeUs: flags.maxTime,
        onEvent: (event) => {
          if (event.kind === 'notice') note(`note: ${event.message}`);
          if (event.kind !== 'pair') return;
          pairs++;
          progressLine(pairLine(event, figuresOf));
        },
        enough: (measured, time) => {
          progress = progressOf(measured, thresholds, time);
          if (wholeTime) return progress.broken;
          say(progress);
          return isEnough(progress);
        },
      }),
    'interrupted: tearing down, finished pairs are kept',
  ).catch(async (error: unknown) => {
    // The pairs that were finished before the failure.
    if (pairs > 0) await reportOf(folder);
    throw error;
  });
  const report = await reportOf(folder);
  const last = progress as Progress | undefined;
  const more = {
    runDir: folder,
    ...(report !== undefined && { report }),
    pairs: runs.candidate.record.repetitions,
    seconds: (performance.now() - startMs) / 1e3,
    ...(last && { stopped: stopOf(last) }),
  };
  return { ...runs, thresholds, notes: last ? stopNotes(last, flags.maxTime / 1e6) : [], more };
}

async function sidesOf(file: string, flags: GateFlags): ReturnType<typeof resolveSides> {
  const choices = choicesOf(flags);
  const { experiment, topology } = await readInputs(file, choices);
  requireOneRunner(flags.runner, experiment);
  const files = { experiment: file, ...(topology && { topology: resolve(topology.file) }) };
  const choice = async (ref: string | undefined, set: readonly [string, string][] = []) => ({
    ...(ref !== undefined && { ref: await readRef(ref, files) }),
    set: Object.fromEntries(set.map(([path, value]) => [path, parsedValue(value)])),
  });
  return resolveSides(
    file,
    choices,
    {
      baseline: await choice(flags.baselineRef),
      candidate: await choice(flags.candidateRef, flags.candidateSet),
    },
    studies,
  );
}

/** Describes each side as on the command line: its ref, and the overrides of the candidate. */
function refsOf({ baselineRef, candidateRef, candidateSet = [] }: GateFlags): Sides<string> {
  const asItStands = 'the experiment as it stands';
  const set = candidateSet.map(([path, value]) => `${path}=${value}`);
  return { baseline: baselineRef ?? asItStands, candidate: [candidateRef ?? asItStands, ...set].join(', ') };
}

function say(progress: Progress): void {
  const more = Math.max(0, progress.pairs - progress.have);
  const { have } = progress;
  progressLine(
    more === 0
      ? `${have} pairs are enough for their spread`
      : `about ${more} more ${more === 1 ? 'pair' : 'pairs'} for this spread`,
  );
}

/** One page with both sides. The figures are already on disk: a failure to write it does not fail the gate. */
async function reportOf(folder: string): Promise<string | undefined> {
  try {
    const sides = sideNames.map((side) => join(folder, side));
    const model = await readReport(sides, studyReportOf, { boxPlots: true, metrics: studyMetrics });
    const report = await writeReport(folder, model, await pageScript());
    progressLine(`report: ${report}`);
    return report;
  } catch (error) {
    note(`warning: no report: ${formatError(error)}`);
    return undefined;
  }
}

/** The figures of a repetition, formatted by its kind of study. */
function figuresOfCells(cells: readonly ExperimentCell[]): (entry: Cell) => string[] {
  const studyOf = new Map(cells.map(({ levels, study }) => [cellKey(levels), study]));
  return (entry) => studyOf.get(cellKey(entry.factors))?.figures(entry) ?? [];
}

/** A line per pair with the main figure of each side. */
function pairLine({ baseline, candidate }: Sides<Cell>, figuresOf: (entry: Cell) => string[]): string {
  const [[before = ''], [after = '']] = [figuresOf(baseline), figuresOf(candidate)] as [string[], string[]];
  const line = `#${candidate.repetition} ${describeCell(candidate.factors)}: ${before} | ${after}`;
  const invalid = Object.entries({ baseline, candidate }).filter(([, { validity }]) => !validity.valid);
  const reasons = invalid.map(([side, { validity }]) => ` · ${side} INVALID: ${validity.reasons.join('; ')}`);
  const flags = new Set([...baseline.validity.flags, ...candidate.validity.flags]);
  const late = candidate.turns?.leftOut;
  const leftOut = late ? [` · late: ${late.slices} of ${late.ofSlices} slices left out on both sides`] : [];
  return [line, ...leftOut, ...[...flags].map((flag) => ` · ${flag}`), ...reasons].join('');
}
