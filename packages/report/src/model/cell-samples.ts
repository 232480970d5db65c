/** The raw samples of a cell, repetition by repetition: what is drawn from single requests is read once, here. */
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { readSampleTimes, type SampleTimes, samplesOf } from '@topo-bench/results';

export interface RepetitionSamples {
  repetition: number;
  samples: SampleTimes[];
}

/** Undefined unless all are there: a picture of some repetitions would pass for one of all. */
export async function readCellSamples(
  valid: readonly Cell[],
  runOf: (cell: Cell) => RunFolder,
): Promise<RepetitionSamples[] | undefined> {
  const all: RepetitionSamples[] = [];
  for (const cell of valid) {
    const path = samplesOf(runOf(cell), cell);
    const samples = path === undefined ? undefined : await readUnlessMissing(path);
    if (!samples) return undefined;
    all.push({ repetition: cell.repetition, samples });
  }
  return all;
}

/** Samples may have been deleted to save room; a damaged file is another matter. */
async function readUnlessMissing(path: string): Promise<SampleTimes[] | undefined> {
  try {
    return await readSampleTimes(path);
  } catch (error) {
    if (error instanceof TopoBenchError && error.code === 'TB_RUN_FOLDER_NOT_FOUND') return undefined;
    throw error;
  }
}
