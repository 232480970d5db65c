/** The cells of bulk transfers with their figures: medians over valid repetitions. */
import { describeLevel } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { CellGroup, ReportModel } from '@topo-bench/report/model';
import { median } from '@topo-bench/stats';
import type { TransferEntry } from '../parts.ts';

/** CPU: 100 is one core. `streamMegabytesPerSecond` and `firstBatchMs` are those of the median stream. */
export type TransferFigures = ReturnType<typeof figuresOfCells>;

export interface TransferCell {
  /** In the report, for the page's filter. */
  index: number;
  protocol: string;
  operation: string;
  streams: number;
  rows: number;
  /** All factors, with the names of rule files instead of their paths. */
  levels: FactorLevels;
  /** Levels of varying factors other than protocol, operation, streams and rows, in words; empty without any. */
  others: string;
  group: CellGroup;
  /** NaN without a valid repetition. */
  figures: TransferFigures;
  /** Rows per second by valid repetition. */
  rates: Map<number, number>;
  /** MB/s by valid repetition. */
  speeds: Map<number, number>;
}

const own = ['protocol', 'operation', 'streams', 'rows'];

/** Cells without a measurement have levels only. */
function isTransfer({ protocol, operation, streams }: FactorLevels): boolean {
  return protocol !== undefined && operation !== undefined && streams !== undefined;
}

/** In the order of the report. */
export function transferCells({ groups, factors }: ReportModel): TransferCell[] {
  const varying = factors
    .filter(({ name, levels }) => levels.length > 1 && !own.includes(name))
    .map(({ name }) => name);
  return groups
    .map((group, index) => ({ group, index }))
    .filter(({ group }) => isTransfer(group.factors))
    .map(({ group, index }) => {
      const levels = Object.fromEntries(
        Object.entries(group.factors).map(([name, level]) => [name, readableLevel(name, level)]),
      );
      const { protocol, operation, streams, rows } = levels;
      return {
        index,
        protocol: String(protocol),
        operation: String(operation),
        streams: Number(streams),
        rows: Number(rows),
        levels,
        others: varying.map((name) => describeLevel(name.replace(/^topology\./, ''), levels[name] ?? '')).join(', '),
        group,
        figures: figuresOfCells(group.valid),
        rates: byRepetition(group.valid, ({ rowsPerSecond }) => rowsPerSecond),
        speeds: byRepetition(group.valid, ({ megabytesPerSecond }) => megabytesPerSecond),
      };
    });
}

function byRepetition(
  cells: readonly TransferEntry[],
  read: (flight: NonNullable<TransferEntry['flight']>) => number,
): Map<number, number> {
  return new Map(cells.flatMap(({ flight, repetition }) => (flight ? [[repetition, read(flight)] as const] : [])));
}

/** `../rules/none.yaml` reads as `none`. */
function readableLevel(name: string, level: FactorLevels[string]): FactorLevels[string] {
  if (!/^(topology\.)?rules$/.test(name)) return level;
  return String(level)
    .replace(/^.*\//, '')
    .replace(/\.(ya?ml|json)$/, '');
}

/** Medians over repetitions, in the order of the CSV columns; NaN without any. */
export function figuresOfCells(valid: readonly TransferEntry[]) {
  const of = (read: (cell: TransferEntry) => number | undefined): number => {
    const values = valid.map(read).filter((value) => value !== undefined && !Number.isNaN(value)) as number[];
    return values.length === 0 ? Number.NaN : median(values);
  };
  const megabytes = (bytes: number | undefined): number | undefined => (bytes === undefined ? undefined : bytes / 1e6);
  return {
    megabytesPerSecond: of(({ flight }) => flight?.megabytesPerSecond),
    streamMegabytesPerSecond: of(({ flight }) =>
      middle(flight?.perStream.map((stream) => stream.megabytesPerSecond) ?? []),
    ),
    rowsPerSecond: of(({ flight }) => flight?.rowsPerSecond),
    firstBatchMs: of(({ flight }) => (flight ? flight.firstBatch.medianUs / 1e3 : undefined)),
    durationS: of(({ flight }) => (flight ? flight.durationUs / 1e6 : undefined)),
    serviceCpuPercent: of(({ resources }) => resources.service?.cpuPercent),
    serviceRssMb: of(({ resources }) => megabytes(resources.service?.rssBytes)),
    generatorCpuPercent: of(({ resources }) => resources.generator?.cpuPercent),
    generatorRssMb: of(({ resources }) => megabytes(resources.generator?.rssBytes)),
    hostIdlePercent: of(({ resources }) => resources.host?.idlePercent),
  };
}

function middle(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : median(values);
}

/** Distinct values in order of appearance, numbers by size. */
export function levelsOf<Key extends 'protocol' | 'operation' | 'streams' | 'rows' | 'others'>(
  cells: readonly TransferCell[],
  key: Key,
): TransferCell[Key][] {
  const levels = [...new Set(cells.map((cell) => cell[key]))];
  return levels.every((level) => typeof level === 'number') ? levels.sort((a, b) => Number(a) - Number(b)) : levels;
}
