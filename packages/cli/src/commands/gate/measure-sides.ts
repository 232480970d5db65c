/** `gate --experiment`: measures pairs of baseline and candidate until their spread allows a verdict. */
import { resolve } from 'node:path';
import { pairsNeeded, smallestDifference, type Threshold } from '@topo-bench/comparison';
import { cellKey, formatLocation, type RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import {
  describeCell,
  type ExperimentCell,
  type MeasuredRepetition,
  readInputs,
  readRef,
  resolveSides,
  runSideBySide,
  type Sides,
} from '@topo-bench/experiment';
import { defaultRunFolder } from '@topo-bench/results';
import { createRunner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { serviceEntry } from '../../built-files.ts';
import { choicesOf } from '../../choices.ts';
import { formatSeconds } from '../../format-seconds.ts';
import { interruptible } from '../../interrupt.ts';
import { parsedValue } from '../../option-values.ts';
import { note } from '../../output.ts';
import { findFile } from '../../shipped-files.ts';
import { version } from '../../version.ts';
import { thresholdsFor } from './gate-thresholds.ts';
import type { GateFlags } from './options.ts';

/** Number of invalid pairs in a row after which the gate gives up. */
const maxInvalidPairs = 3;

export interface MeasuredSides extends Sides<RunFolder> {
  thresholds: readonly Threshold[];
  more: { runDir: string; pairs: number; seconds: number };
}

/** Reports every problem of flags and files before it starts a process. */
export async function measureSides(experiment: string, flags: GateFlags): Promise<MeasuredSides> {
  const sides = await sidesOf(await findFile('experiments', experiment), flags);
  const { candidate } = sides;
  const thresholds = thresholdsFor(candidate.experiment.thresholds, flags);
  for (const { message, ...place } of candidate.warnings) note(`warning: ${formatLocation(place)}: ${message}`);
  const folder = flags.out ?? defaultRunFolder(`${candidate.experiment.name}-gate`, new Date());
  const runner = await createRunner(candidate.experiment.runner, { serviceEntry: serviceEntry() });
  note(`both sides in turns, for ${formatSeconds(flags.maxTime / 1e6)} at most · ${folder}`);
  const startMs = performance.now();
  const figuresOf = figuresOfCells(candidate.cells);
  const runs = await interruptible(
    (signal) =>
      runSideBySide(sides, {
        folder,
        runner,
        context: { signal, onPhase: () => undefined },
        version: version(),
        command: process.argv.slice(2),
        refs: refsOf(flags),
        maxTimeUs: flags.maxTime,
        smallestDifference: smallestDifference(thresholds),
        onPair: (pair, repetition) => note(pairLine(pair, repetition, figuresOf)),
        enough: (measured) => isEnough(measured, thresholds),
      }),
    'interrupted: tearing down, finished pairs are kept',
  );
  const more = {
    runDir: folder,
    pairs: runs.candidate.record.repetitions,
    seconds: (performance.now() - startMs) / 1e3,
  };
  return { ...runs, thresholds, more };
}

async function sidesOf(file: string, flags: GateFlags): ReturnType<typeof resolveSides> {
  const choices = choicesOf(flags);
  const { topology } = await readInputs(file, choices);
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

/** Depends on the spread alone: stopping on a favourable verdict would inflate its error rate. */
function isEnough({ baseline, candidate }: Sides<RunFolder>, thresholds: readonly Threshold[]): boolean {
  const last = [baseline, candidate].map(({ cells }) =>
    cells.slice(-maxInvalidPairs * candidate.record.plannedCells.length),
  );
  const repetitions = candidate.record.repetitions;
  if (repetitions >= maxInvalidPairs && last.some((cells) => cells.every(({ validity }) => !validity.valid)))
    return true;
  const { pairs, have } = pairsNeeded(baseline, candidate, thresholds);
  const more = Math.max(0, pairs - have);
  note(
    more === 0
      ? `${have} pairs are enough for their spread`
      : `about ${more} more ${more === 1 ? 'pair' : 'pairs'} for this spread`,
  );
  return more === 0;
}

/** The figures of a repetition, formatted by its kind of study. */
function figuresOfCells(cells: readonly ExperimentCell[]): (entry: Cell) => string[] {
  const studyOf = new Map(cells.map(({ levels, study }) => [cellKey(levels), study]));
  return (entry) => studyOf.get(cellKey(entry.factors))?.figures(entry) ?? [];
}

/** A line per pair with the main figure of each side. */
function pairLine(
  { baseline, candidate }: Sides<MeasuredRepetition>,
  repetition: number,
  figuresOf: (entry: Cell) => string[],
): string {
  const [[before = ''], [after = '']] = [figuresOf(baseline.entry), figuresOf(candidate.entry)] as [string[], string[]];
  const line = `#${repetition} ${describeCell(candidate.entry.factors)}: ${before} | ${after}`;
  const invalid = Object.entries({ baseline, candidate }).filter(([, { entry }]) => !entry.validity.valid);
  const reasons = invalid.map(([side, { entry }]) => ` · ${side} INVALID: ${entry.validity.reasons.join('; ')}`);
  const flags = new Set([...baseline.entry.validity.flags, ...candidate.entry.validity.flags]);
  return [line, ...[...flags].map((flag) => ` · ${flag}`), ...reasons].join('');
}
