/** Measures pairs of baseline and candidate until their spread allows a verdict. */
import { join } from 'node:path';
import { cellKey, counted, describeCell, formatError, formatLocation, formatSeconds } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { type Report, readReport, writeReport } from '@topo-bench/report';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { type Backend, type ExperimentCell, type Sides, sideNames } from '@topo-bench/trial';
import type { MeasuredPairs, Pairing, PairsEvent } from '@topo-bench/workbench/gate';
import { pageScript } from '../built-files.ts';
import { interruptible } from '../interrupt.ts';
import { settingOf } from '../measuring.ts';
import { note, progressLine } from '../output.ts';
import { folded } from '../run-progress.ts';
import type { EngineFlags } from '../runner-option.ts';

export interface MeasureOptions {
  /** Measures until the time is up, however small the spread. */
  wholeTime?: boolean;
  /** Default: the backend of real processes, with its logs in the folder. */
  backend?: Backend | undefined;
}

/** @returns what was measured, and the path of the page if it could be written */
export async function measureSides(
  { sides: { candidate }, measure, ...pairing }: Pairing,
  flags: EngineFlags & { out?: string; maxTime: number; profile?: 'failed' | 'always' | true },
  { wholeTime = false, backend }: MeasureOptions = {},
): Promise<{ measured: MeasuredPairs; page: string | undefined }> {
  for (const { message, ...place } of candidate.warnings) note(`warning: ${formatLocation(place)}: ${message}`);
  const { out: folder = pairing.folder, maxTime: maxTimeUs } = flags;
  progressLine(`both sides in turns, for ${formatSeconds(maxTimeUs / 1e6)} at most · ${folder}`);
  const figuresOf = figuresOfCells(candidate.cells);
  let pairs = 0;
  const measured = await interruptible(
    (signal) =>
      measure({
        ...settingOf(flags, backend),
        folder,
        maxTimeUs,
        wholeTime,
        profile: flags.profile === true ? 'failed' : flags.profile,
        signal,
        onEvent: (event) => {
          if (event.kind === 'notice') note(`note: ${event.message}`);
          if (event.kind === 'warning') note(`warning: ${event.message}`);
          if (event.kind === 'pairs') progressLine(pairsLine(event));
          if (event.kind === 'profiled') progressLine(`profiled: ${event.pairs} of ${event.ofPairs} pairs`);
          if (event.kind !== 'pair') return;
          pairs++;
          progressLine(folded(pairLine(event, figuresOf), process.stderr.columns));
        },
      }),
    'interrupted: tearing down, finished pairs are kept',
  ).catch(async (error: unknown) => {
    // The pairs that were finished before the failure.
    const sides = sideNames.map((side) => join(folder, side));
    const stored = () => readReport(sides, studyReportOf, { boxPlots: true, metrics: studyMetrics });
    if (pairs > 0) await writePage(folder, stored);
    throw error;
  });
  return { measured, page: await writePage(folder, () => measured.report({ boxPlots: true })) };
}

function pairsLine({ have, needed }: PairsEvent): string {
  const more = Math.max(0, needed - have);
  if (more === 0) return `${counted(have, 'pair')} ${have === 1 ? 'is' : 'are'} enough for their spread`;
  return `about ${more} more ${more === 1 ? 'pair' : 'pairs'} for this spread`;
}

/** One page with both sides. The figures are already on disk: a failure to write it does not fail the gate. */
async function writePage(folder: string, model: () => Promise<Report>): Promise<string | undefined> {
  try {
    const page = await writeReport(folder, await model(), await pageScript());
    progressLine(`report: ${page}`);
    return page;
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
