/** Reads the raw samples of a cell once, repetition by repetition, for all charts of single requests. */
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { readSampleTimes, type SampleTimes, samplesOf } from '@topo-bench/results';

export interface RepetitionSamples {
  repetition: number;
  samples: SampleTimes[];
  /** Where the cell took turns with others. */
  turns?: Cell['turns'];
}

/** Undefined if the samples of a repetition are missing: a chart must cover all repetitions. */
export async function readCellSamples(
  valid: readonly Cell[],
  runOf: (cell: Cell) => RunFolder,
): Promise<RepetitionSamples[] | undefined> {
  const all: RepetitionSamples[] = [];
  for (const cell of valid) {
    const path = samplesOf(runOf(cell), cell);
    const samples = path === undefined ? undefined : await readUnlessMissing(path);
    if (!samples) return undefined;
    all.push({ repetition: cell.repetition, samples, ...(cell.turns && { turns: cell.turns }) });
  }
  return all;
}

/** Undefined if the samples were deleted to save space. A damaged file is an error. */
async function readUnlessMissing(path: string): Promise<SampleTimes[] | undefined> {
  try {
    return await readSampleTimes(path);
  } catch (error) {
    if (error instanceof TopoBenchError && error.code === 'TB_RUN_FOLDER_NOT_FOUND') return undefined;
    throw error;
  }
}
