/** Figures that a study published, to be shown beside measured ones: a CSV file with a column per factor and one per figure. */
import { readFile } from 'node:fs/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { parseCsv } from '../csv.ts';

export interface Published {
  file: string;
  /** By setting. */
  rows: { factors: FactorLevels; medianUs: number }[];
  /** Averages of a persistence study, in the units that the columns name. */
  averages?: PublishedAverage[];
  /** Throughputs of bulk transfers. */
  transfers?: PublishedTransfer[];
}

export interface PublishedAverage {
  configuration: string;
  workload: string;
  /** By column. */
  figures: Record<string, number>;
}

export interface PublishedTransfer {
  /** Undefined: of either. */
  operation: string | undefined;
  /** Undefined: of any number. */
  streams: number | undefined;
  megabytesPerSecond: number;
  setting: string;
}

const transferColumns = ['operation', 'streams', 'megabytes_per_second', 'setting'];
const averageColumns = ['p95_ms', 'throughput_rps', 'cpu_percent', 'ram_mb'];
const medianColumn = 'median_rtt_ms';
/** Columns that hold figures or remarks; every other one is a factor. */
const notFactors = /_ms$|^provenance$/;
const factorNames: Record<string, string> = { rate_rps: 'rate' };

/** @throws TopoBenchError `TB_PUBLISHED_INVALID` */
export async function readPublished(file: string): Promise<Published> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TopoBenchError('TB_PUBLISHED_INVALID', `cannot read ${file}: ${(cause as Error).message}`, { cause });
  });
  const [header = [], ...lines] = parseCsv(text.replace(/^\uFEFF/, ''));
  if (averageColumns.every((column) => header.includes(column))) return { file, rows: [], averages: averagesOf(header, lines) };
  if (transferColumns.every((column) => header.includes(column)))
    return { file, rows: [], transfers: transfersOf(header, lines) };
  const medianAt = header.indexOf(medianColumn);
  if (medianAt < 0) {
    throw new TopoBenchError(
      'TB_PUBLISHED_INVALID',
      `${file} has no column ${medianColumn}; it has ${header.join(', ') || 'none'}`,
    );
  }
  const factorsAt = header.flatMap((name, index) => (notFactors.test(name) ? [] : [[factorNames[name] ?? name, index] as const]));
  const rows = lines.map((line, index) => {
    const median = line[medianAt] ?? '';
    if (median === '' || !(Number(median) >= 0)) {
      throw new TopoBenchError('TB_PUBLISHED_INVALID', `${JSON.stringify(median)} is not a median in milliseconds`, {
        location: { file, line: index + 2, column: 1 },
      });
    }
    return {
      factors: Object.fromEntries(factorsAt.map(([name, at]) => [name, level(line[at] ?? '')])),
      medianUs: Number(median) * 1e3,
    };
  });
  return { file, rows };
}

function averagesOf(header: readonly string[], lines: readonly (readonly string[])[]): PublishedAverage[] {
  const cell = (line: readonly string[], column: string): string => line[header.indexOf(column)] ?? '';
  return lines.map((line) => ({
    configuration: cell(line, 'configuration'),
    workload: cell(line, 'workload'),
    figures: Object.fromEntries(averageColumns.map((column) => [column, Number(cell(line, column) || Number.NaN)])),
  }));
}

function transfersOf(header: readonly string[], lines: readonly (readonly string[])[]): PublishedTransfer[] {
  return lines.map((line) => {
    const [operation = '', streams = '', speed = '', setting = ''] = transferColumns.map(
      (column) => line[header.indexOf(column)],
    );
    return {
      operation: operation || undefined,
      streams: streams === '' ? undefined : Number(streams),
      megabytesPerSecond: Number(speed || Number.NaN),
      setting,
    };
  });
}

/** The published median of a cell: its factors must equal all that the file distinguishes; others are not looked at. */
export function publishedMedianUs(published: Published | undefined, factors: FactorLevels): number | undefined {
  return published?.rows.find((row) => Object.entries(row.factors).every(([name, value]) => factors[name] === value))?.medianUs;
}

function level(text: string): string | number {
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
