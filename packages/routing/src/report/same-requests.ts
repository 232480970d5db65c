/**
 * Medians of the architectures on the requests that all of them completed. Rules refuse, cut and reroute, so round-trip
 * times of `none` cover requests that the others never complete. Equal seeds give equal requests, matched by id.
 */
import { cellKey, type RunFolder } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { CellGroup } from '@topo-bench/report/model';
import { readSampleOutcomes, samplesOf } from '@topo-bench/results';
import { median } from '@topo-bench/stats';

export interface SameRequests {
  /** Levels of the other factors. */
  factors: FactorLevels;
  levels: { architecture: string; requests: number; completed: number; medianUs: number }[];
  /** Requests that all of them completed, over the repetitions that are valid in all. NaN without samples. */
  common: number;
}

/**
 * Settings in which architectures completed different requests.
 * @param readSamples if false, only the counts are known
 */
export async function sameRequestsOf(
  groups: readonly CellGroup[],
  runOf: (cell: Cell) => RunFolder,
  readSamples: boolean,
): Promise<SameRequests[]> {
  const settings = new Map<string, CellGroup[]>();
  for (const group of groups) {
    if (group.factors.architecture === undefined || group.valid.length === 0) continue;
    const key = cellKey(othersOf(group));
    settings.set(key, [...(settings.get(key) ?? []), group]);
  }
  const found: SameRequests[] = [];
  for (const setting of settings.values()) {
    if (setting.length < 2 || setting.every((group) => completedOf(group) === requestsOf(group))) continue;
    const { common, medians } = readSamples ? await commonOf(setting, runOf) : unknown;
    const levels = setting.map((group, at) => ({
      architecture: String(group.factors.architecture),
      requests: requestsOf(group),
      completed: completedOf(group),
      medianUs: medians[at] ?? Number.NaN,
    }));
    found.push({ factors: othersOf(setting[0] as CellGroup), levels, common });
  }
  return found;
}

const unknown: { common: number; medians: number[] } = { common: Number.NaN, medians: [] };

/** The median of an architecture is the median over repetitions, as everywhere. */
async function commonOf(setting: readonly CellGroup[], runOf: (cell: Cell) => RunFolder): Promise<typeof unknown> {
  const [first, ...others] = setting.map(({ valid }) => new Map(valid.map((cell) => [cell.repetition, cell])));
  const repetitions = [...(first?.keys() ?? [])].filter((repetition) => others.every((cells) => cells.has(repetition)));
  const medians = setting.map((): number[] => []);
  let common = 0;
  for (const repetition of repetitions) {
    const times: Map<string, number>[] = [];
    for (const { valid } of setting) {
      const cell = valid.find((one) => one.repetition === repetition) as Cell;
      const path = samplesOf(runOf(cell), cell);
      const completed = path === undefined ? undefined : await completedIn(path);
      if (!completed) return unknown;
      times.push(completed);
    }
    const ids = [...(times[0] as Map<string, number>).keys()].filter((id) =>
      times.every((completed) => completed.has(id)),
    );
    if (ids.length === 0) continue;
    common += ids.length;
    for (const [at, completed] of times.entries())
      medians[at]?.push(median(ids.map((id) => completed.get(id) as number)));
  }
  return { common, medians: medians.map((values) => median(values)) };
}

/** Round-trip times by id. Samples may have been deleted to save space. */
async function completedIn(path: string): Promise<Map<string, number> | undefined> {
  const samples = await readSampleOutcomes(path).catch((error: { code?: string }) => {
    if (error.code === 'TB_RUN_FOLDER_NOT_FOUND') return undefined;
    throw error;
  });
  return (
    samples &&
    new Map(
      samples.flatMap(({ id, outcome, rttUs }) => (outcome === 'completed' && rttUs !== null ? [[id, rttUs]] : [])),
    )
  );
}

function othersOf({ factors: { architecture: _compared, ...others } }: CellGroup): FactorLevels {
  return others;
}

function completedOf({ figures }: CellGroup): number {
  return figures?.outcomes.completed ?? 0;
}

function requestsOf({ figures }: CellGroup): number {
  return Object.values(figures?.outcomes ?? {}).reduce((sum, count) => sum + count, 0);
}
