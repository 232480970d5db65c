/** The cells of a stream study with their figures: medians over valid repetitions. */
import { describeLevel, storeEngines } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { CellGroup, ReportModel } from '@topo-bench/report/model';
import { median } from '@topo-bench/stats';
import { elementsOf } from '../jobs/job-size.ts';
import type { StreamFigures } from '../measurement.ts';
import type { StreamEntry } from '../parts.ts';

export type StreamCellFigures = ReturnType<typeof figuresOfCells>;

export interface StreamCell {
  /** In the report, for the page's filter. */
  index: number;
  database: string;
  /** As the server reports itself, e.g. `Redis 7.0.15`. */
  name: string;
  /** `none`, or a length. */
  windows: string;
  /** What it processes: `points`, `entries` or `queries`. */
  unit: string;
  /** Their number. */
  points: number;
  levels: FactorLevels;
  /** Number of points and levels of other factors in words, where they vary; empty otherwise. */
  others: string;
  group: CellGroup;
  /** NaN without a valid repetition. */
  figures: StreamCellFigures;
  /** Points per second at full speed, by valid repetition. */
  rates: Map<number, number>;
  /** Sustained points per second, by valid repetition that has one. */
  sustained: Map<number, number>;
}

const own = ['database', 'windows'];

/** Databases in their usual order; no windows first. */
export function streamCells({ groups, factors }: ReportModel): StreamCell[] {
  const varying = factors
    .filter(({ name, levels }) => levels.length > 1 && !own.includes(name))
    .map(({ name }) => name);
  const rank = ({ database }: StreamCell): number => (storeEngines as readonly string[]).indexOf(database);
  return groups
    .map((group, index) => streamCell(group, index, varying))
    .filter(({ levels: { database, windows } }) => database !== undefined && windows !== undefined)
    .sort(
      (a, b) =>
        a.points - b.points ||
        a.others.localeCompare(b.others) ||
        rank(a) - rank(b) ||
        Number(a.windows !== 'none') - Number(b.windows !== 'none'),
    );
}

function streamCell(group: CellGroup, index: number, varying: readonly string[]): StreamCell {
  const { factors: levels, valid, invalid } = group;
  const byRepetition = (read: (stream: StreamFigures) => number | undefined): Map<number, number> =>
    new Map(
      valid.flatMap(({ stream, repetition }: StreamEntry) => {
        const value = stream && read(stream);
        return value === undefined ? [] : [[repetition, value] as const];
      }),
    );
  const entries: readonly StreamEntry[] = [...valid, ...invalid];
  const reported = entries.find(({ stream }) => stream)?.stream?.database;
  return {
    index,
    database: String(levels.database),
    name: reported === undefined ? String(levels.database) : shortName(reported),
    windows: String(levels.windows),
    unit: elementsOf(String(levels.job ?? 'generate')),
    points: Number(levels.points ?? levels.queries ?? levels.entries),
    levels,
    others: varying
      .filter((name) => levels[name] !== undefined)
      .map((name) => describeLevel(name.replace(/^stream\./, ''), levels[name] ?? ''))
      .join(', '),
    group,
    figures: figuresOfCells(valid),
    rates: byRepetition(({ fullSpeed }) => fullSpeed.pointsPerSecond),
    sustained: byRepetition(({ sustainedPerSecond }) => sustainedPerSecond),
  };
}

/** Without the name of the package that a version may contain: `10.11.14-MariaDB-0+deb12u2`. */
function shortName(reported: string): string {
  return reported.replace(/(\d)-.*$/, '$1').replace(/ \(Debian.*$/, '');
}

/** Medians over repetitions, in the order of the CSV columns; NaN without any. */
export function figuresOfCells(valid: readonly StreamEntry[]) {
  const of = (read: (stream: StreamFigures) => number | undefined): number => {
    const values = valid.flatMap(({ stream }) => (stream ? (read(stream) ?? []) : []));
    return values.length === 0 ? Number.NaN : median(values);
  };
  const scaled = (value: number | undefined, unit: number): number | undefined =>
    value === undefined ? undefined : value / unit;
  return {
    pointsPerSecond: of(({ fullSpeed }) => fullSpeed.pointsPerSecond),
    sustainedPerSecond: of(({ sustainedPerSecond }) => sustainedPerSecond),
    endToEndP50Ms: of(({ paced }) => paced.endToEnd.medianUs / 1e3),
    endToEndP95Ms: of(({ paced }) => paced.endToEnd.p95Us / 1e3),
    endToEndP99Ms: of(({ paced }) => paced.endToEnd.p99Us / 1e3),
    endToEndP999Ms: of(({ paced }) => paced.endToEnd.p999Us / 1e3),
    storeAccessP50Ms: of(({ paced }) => paced.storeAccess.medianUs / 1e3),
    storeAccessP95Ms: of(({ paced }) => paced.storeAccess.p95Us / 1e3),
    engineCpuMs: of(({ roles }) => scaled(roles.engine?.cpuUs, 1e3)),
    enginePeakMb: of(({ roles }) => scaled(roles.engine?.peakRssBytes, 1e6)),
    storeCpuMs: of(({ roles }) => scaled(roles.store?.cpuUs, 1e3)),
    storeMb: of(({ roles }) => scaled(roles.store?.rssBytes ?? roles.store?.peakRssBytes, 1e6)),
    storageMb: of(({ storageBytes }) => storageBytes / 1e6),
    writtenMb: of(({ writtenBytes }) => scaled(writtenBytes, 1e6)),
  };
}

/** What the end-to-end latency of a job spans. */
export function spanOfLatency(unit: string): string {
  if (unit === 'queries') return 'query to answer';
  return `${unit === 'entries' ? 'entry' : 'point'} to acknowledgement`;
}

/** Cells that differ in the database alone, in the order of the cells. */
export function comparedCells(cells: readonly StreamCell[]): StreamCell[][] {
  return grouped(cells, ({ windows, others }) => JSON.stringify([windows, others]));
}

/** Cells that differ in the windows alone. */
export function windowPairs(cells: readonly StreamCell[]): { without: StreamCell; with: StreamCell }[] {
  return grouped(cells, ({ database, others }) => JSON.stringify([database, others])).flatMap((same) => {
    const without = same.find(({ windows }) => windows === 'none');
    return without ? same.filter((cell) => cell !== without).map((cell) => ({ without, with: cell })) : [];
  });
}

function grouped(cells: readonly StreamCell[], keyOf: (cell: StreamCell) => string): StreamCell[][] {
  const groups = new Map<string, StreamCell[]>();
  for (const cell of cells) groups.set(keyOf(cell), [...(groups.get(keyOf(cell)) ?? []), cell]);
  return [...groups.values()];
}

/** `without windows`, `with windows of 1 s` */
export function windowsText(windows: string): string {
  return windows === 'none' ? 'without windows' : `with windows of ${windows}`;
}
