/** Cells as input of a comparison: one figure for each valid repetition, and the repetitions that were excluded. */
import { cellKey, type RunFolder } from '@topo-bench/core';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import type { Metric } from './metric.ts';

export interface CellRepetitions {
  factors: FactorLevels;
  source: Cell['source'];
  valid: Cell[];
  invalid: Cell[];
  /** Valid repetitions that left the host less than 5% idle, and whose work that was. */
  full: ReadonlyMap<number, FullHost>;
}

export interface FullHost {
  /** Other programs took the host's idle time. */
  isForeign: boolean;
  /** Other work than the measured one filled the host: a neighbour, or a hypervisor's other guests. */
  isCrowded: boolean;
}

/**
 * Min share of a saturated host's processor time that the measured processes must use; below it the host is crowded.
 */
const minOwnShare = 0.8;
/** Idle time below which a host counts as full. */
const fullHostIdlePercent = 5;

export interface Sample {
  repetition: number;
  value: number;
}

export interface CellSamples {
  /** In the order of repetitions; +∞ where the figure falls on an unfinished request. */
  samples: Sample[];
  /** Valid repetitions without this figure, e.g. because no request completed. */
  missing: number;
}

/**
 * Cells of a run in planned order, including cells without any repetition. Measured and simulated repetitions make
 * separate cells.
 */
export function cellsOf({ record, cells }: { record: RunRecord; cells: RunFolder['cells'] }): CellRepetitions[] {
  type Collected = CellRepetitions & { full: Map<number, FullHost> };
  const found = new Map<string, Collected>();
  const cellFor = (factors: FactorLevels, source: Cell['source']): Collected => {
    const key = `${source} ${cellKey(factors)}`;
    const known = found.get(key) ?? { factors, source, valid: [], invalid: [], full: new Map() };
    found.set(key, known);
    return known;
  };
  const source = cells[0]?.source ?? 'measured';
  for (const factors of record.plannedCells) cellFor(factors, source);
  for (const entry of cells) {
    const cell = cellFor(entry.factors, entry.source);
    (entry.validity.valid ? cell.valid : cell.invalid).push(entry);
    if (!entry.validity.valid || !leftNoTime(entry)) continue;
    const foreign = isForeign(entry);
    const isCrowded = foreign || ownShare(entry, record.environment.cores) < minOwnShare;
    cell.full.set(entry.repetition, { isForeign: foreign, isCrowded });
  }
  return [...found.values()];
}

/** The host had no idle time left, because of the measured processes or of other programs. */
function leftNoTime({ validity: { flags }, resources: { host } }: Cell): boolean {
  return (
    flags.includes('host-saturated') ||
    (flags.includes('foreign-load') && (host?.idlePercent ?? 100) < fullHostIdlePercent)
  );
}

function isForeign({ validity: { flags } }: Cell): boolean {
  return flags.includes('foreign-load') && !flags.includes('host-saturated');
}

/** Share of services, stores and generator in the host's busy processor time; 0 when unknown. */
function ownShare({ resources: { host, ...own } }: Cell, cores: number): number {
  const busyPercent = cores * (100 - (host?.idlePercent ?? 0));
  return Object.values(own).reduce((sum, { cpuPercent = 0 }) => sum + cpuPercent, 0) / busyPercent;
}

/** A figure of 0 on a ratio scale counts as missing: no request takes no time. */
export function samplesOf({ valid }: CellRepetitions, metric: Metric): CellSamples {
  const samples = valid
    .map((entry) => ({ repetition: entry.repetition, value: metric.read(entry) ?? Number.NaN }))
    .filter(({ value }) => (metric.scale === 'ratio' ? value > 0 : !Number.isNaN(value)))
    .sort((a, b) => a.repetition - b.repetition);
  return { samples, missing: valid.length - samples.length };
}
