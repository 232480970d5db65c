/** The cells of a data-access study with their figures: medians over valid repetitions. */
import { describeLevel } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { CellGroup, ReportModel } from '@topo-bench/report/model';
import { median } from '@topo-bench/stats';
import type { AccessEntry } from '../parts.ts';
import { type AccessVariant, accessSources, accessVariants } from '../settings-schema.ts';

/** Parts of a duration in the order of time. */
export const partNames = [
  'discover',
  'image',
  'create',
  'start',
  'first-byte',
  'connect',
  'read',
  'conversion',
  'return',
] as const;
export type PartName = (typeof partNames)[number];
/** Parts before the first data. */
const startParts: readonly PartName[] = ['discover', 'image', 'create', 'start', 'first-byte', 'connect'];

export type AccessCellFigures = ReturnType<typeof figuresOfCells>;

export interface AccessCell {
  /** In the report, for the page's filter. */
  index: number;
  source: string;
  /** Rows of the table; of a user-supplied one as read. */
  volume: number;
  query: string;
  variant: string;
  levels: FactorLevels;
  /** Levels of other varying factors in words; empty without any. */
  others: string;
  group: CellGroup;
  /** NaN without a valid repetition. */
  figures: AccessCellFigures;
  /** Medians in ms; only parts that exist. */
  parts: Partial<Record<PartName, number>>;
  /** Median of the conversion in a Flight server, which overlaps `read`, in ms; NaN without one. */
  conversionMs: number;
  /** Overall time in ms, by valid repetition. */
  durations: Map<number, number>;
  /** Rows per second, by valid repetition. */
  rates: Map<number, number>;
  /** The same over the time from the first data on. */
  ratesAfterStart: Map<number, number>;
}

/** Factors that are not options. */
export const ownFactors: readonly string[] = ['source', 'volume', 'query', 'variant'];

/** Sources and variants in their usual order, volumes by size. */
export function accessCells({ groups, factors }: ReportModel): AccessCell[] {
  const varying = factors
    .filter(({ name, levels }) => levels.length > 1 && !ownFactors.includes(name))
    .map(({ name }) => name);
  return groups
    .map((group, index) => accessCell(group, index, varying))
    .filter(({ levels: { source, variant } }) => source !== undefined && variant !== undefined)
    .sort(
      (a, b) =>
        accessSources.indexOf(a.source as never) - accessSources.indexOf(b.source as never) ||
        a.query.localeCompare(b.query) ||
        a.volume - b.volume ||
        rankOf(a) - rankOf(b),
    );
}

function rankOf({ variant }: AccessCell): number {
  return accessVariants.indexOf(variant as AccessVariant);
}

function accessCell(group: CellGroup, index: number, varying: readonly string[]): AccessCell {
  const { factors: levels } = group;
  const valid: readonly AccessEntry[] = group.valid;
  const byRepetition = (read: (access: NonNullable<AccessEntry['access']>) => number): Map<number, number> =>
    new Map(valid.flatMap(({ access, repetition }) => (access ? [[repetition, read(access)] as const] : [])));
  const durations = byRepetition(({ durationUs }) => durationUs / 1e3);
  return {
    index,
    source: String(levels.source),
    volume: Number(levels.volume ?? valid[0]?.access?.rows ?? Number.NaN),
    query: String(levels.query ?? 'all'),
    variant: String(levels.variant),
    levels,
    others: varying
      .flatMap((name) => (levels[name] === undefined ? [] : describeLevel(name.replace(/^access\./, ''), levels[name])))
      .join(', '),
    group,
    figures: figuresOfCells(valid),
    parts: medianParts(valid),
    conversionMs: medianOf(valid, ({ conversionUs }) => conversionUs) / 1e3,
    durations,
    rates: byRepetition(({ rowsPerSecond }) => rowsPerSecond),
    ratesAfterStart: byRepetition((access) => (access.rows * 1e6) / (access.durationUs - startUs(access))),
  };
}

function medianParts(valid: readonly AccessEntry[]): AccessCell['parts'] {
  return Object.fromEntries(
    partNames.flatMap((name) => {
      const values = valid.flatMap(({ access }) => access?.parts[name] ?? []);
      return values.length === 0 ? [] : [[name, median(values) / 1e3]];
    }),
  );
}

/** Medians over repetitions, in the order of the CSV columns; NaN without any. */
export function figuresOfCells(valid: readonly AccessEntry[]) {
  const of = (read: (access: NonNullable<AccessEntry['access']>) => number | undefined) => medianOf(valid, read);
  return {
    rowsPerSecond: of(({ rowsPerSecond }) => rowsPerSecond),
    megabytesPerSecond: of(({ megabytesPerSecond }) => megabytesPerSecond),
    durationMs: of(({ durationUs }) => durationUs / 1e3),
    startMs: of((access) => startUs(access) / 1e3),
    studyMeanMs: studyMean(valid.flatMap(({ access }) => (access ? access.durationUs / 1e3 : []))),
    clientCpuMs: of(({ roles }) => (roles.client?.cpuUs === undefined ? undefined : roles.client.cpuUs / 1e3)),
    clientPeakMb: of(({ roles }) =>
      roles.client?.peakRssBytes === undefined ? undefined : roles.client.peakRssBytes / 1e6,
    ),
  };
}

function medianOf(
  valid: readonly AccessEntry[],
  read: (access: NonNullable<AccessEntry['access']>) => number | undefined,
): number {
  const values = valid.flatMap(({ access }) => (access ? (read(access) ?? []) : []));
  return values.length === 0 ? Number.NaN : median(values);
}

function startUs({ parts }: NonNullable<AccessEntry['access']>): number {
  return startParts.reduce((sum, name) => sum + (parts[name] ?? 0), 0);
}

/** The summary of the published study: the mean without the smallest and the largest value. NaN below 3 values. */
export function studyMean(values: readonly number[]): number {
  if (values.length < 3) return Number.NaN;
  const kept = [...values].sort((a, b) => a - b).slice(1, -1);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

/** Distinct values in the order of the cells. */
export function levelsOf<Key extends 'source' | 'volume' | 'variant' | 'query'>(
  cells: readonly AccessCell[],
  key: Key,
): AccessCell[Key][] {
  return [...new Set(cells.map((cell) => cell[key]))];
}

/** Cells that read whole tables; those of the query for one row answer another question. */
export function wholeReads(cells: readonly AccessCell[]): AccessCell[] {
  return cells.filter(({ query }) => query === 'all');
}

const sourceNames: Readonly<Record<string, string>> = {
  postgresql: 'PostgreSQL',
  mongodb: 'MongoDB',
  parquet: 'Parquet',
};

export function sourceName(source: string): string {
  return sourceNames[source] ?? source;
}
