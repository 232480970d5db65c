/** A cell as the comparison sees it: one figure per valid repetition, and what was left out. */
import { cellKey, type RunFolder } from '@topo-bench/core';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import type { Metric } from './metric.ts';

export interface CellRepetitions {
  factors: FactorLevels;
  source: Cell['source'];
  valid: Cell[];
  invalid: Cell[];
  /** Some valid repetition left the host less than 5% idle. */
  saturated: boolean;
  /** Some of those did so by other work than what was measured: a neighbour, or a host that gave its processors to another. */
  crowded: boolean;
  /** Some of those left it no time because of programs that are none of ours. */
  foreign: boolean;
}

/** Least share of a saturated host's processor time that what was measured has used, where it was not crowded. */
const minOwnShare = 0.8;
/** A host that is idle for less was full. */
const fullHostIdlePercent = 5;

export interface Sample {
  repetition: number;
  value: number;
}

export interface CellSamples {
  /** In the order of repetitions; +∞ where the figure falls on an unfinished request. */
  samples: Sample[];
  /** Valid repetitions that have no such figure, as when nothing was completed. */
  missing: number;
}

/** Cells of a run in the order planned; planned cells without any repetition are there, empty. Measured and simulated stay apart. */
export function cellsOf({ record, cells }: { record: RunRecord; cells: RunFolder['cells'] }): CellRepetitions[] {
  const found = new Map<string, CellRepetitions>();
  const cellFor = (factors: FactorLevels, source: Cell['source']): CellRepetitions => {
    const key = `${source} ${cellKey(factors)}`;
    const known = found.get(key) ?? { factors, source, valid: [], invalid: [], saturated: false, crowded: false, foreign: false };
    found.set(key, known);
    return known;
  };
  const source = cells[0]?.source ?? 'measured';
  for (const factors of record.plannedCells) cellFor(factors, source);
  for (const entry of cells) {
    const cell = cellFor(entry.factors, entry.source);
    (entry.validity.valid ? cell.valid : cell.invalid).push(entry);
    if (!entry.validity.valid || !leftNoTime(entry)) continue;
    cell.saturated = true;
    cell.foreign ||= isForeign(entry);
    cell.crowded ||= isForeign(entry) || ownShare(entry, record.environment.cores) < minOwnShare;
  }
  return [...found.values()];
}

/** Nothing was left of the host: by what was measured, or by other programs. */
function leftNoTime({ validity: { flags }, resources: { host } }: Cell): boolean {
  return flags.includes('host-saturated') || (flags.includes('foreign-load') && (host?.idlePercent ?? 100) < fullHostIdlePercent);
}

function isForeign({ validity: { flags } }: Cell): boolean {
  return flags.includes('foreign-load') && !flags.includes('host-saturated');
}

/** Of the processor time that the host spent, the share of services, stores and generator: 0 where nobody knows. */
function ownShare({ resources: { host, ...own } }: Cell, cores: number): number {
  const busyPercent = cores * (100 - (host?.idlePercent ?? 0));
  return Object.values(own).reduce((sum, { cpuPercent = 0 }) => sum + cpuPercent, 0) / busyPercent;
}

/** A figure on a ratio scale that is 0 was not measured: no request takes no time. */
export function samplesOf({ valid }: CellRepetitions, metric: Metric): CellSamples {
  const samples = valid
    .map((entry) => ({ repetition: entry.repetition, value: metric.read(entry) ?? Number.NaN }))
    .filter(({ value }) => (metric.scale === 'ratio' ? value > 0 : !Number.isNaN(value)))
    .sort((a, b) => a.repetition - b.repetition);
  return { samples, missing: valid.length - samples.length };
}
