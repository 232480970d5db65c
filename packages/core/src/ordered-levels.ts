/** Levels with an order and a distance: numbers, durations and sizes. Charts and slopes over a factor need both. */
import { TopoBenchError } from './errors.ts';
import type { FactorLevel } from './factors.ts';
import { formatBytes, formatUs, parseDurationUs, parseSizeBytes } from './units.ts';

export type QuantityUnit = 'count' | 'us' | 'bytes';

export interface Quantity {
  /** In µs, in bytes, or the number itself. */
  value: number;
  unit: QuantityUnit;
}

/** The quantity of a level: `12`, `40ms`, `64KiB`; undefined for any other level. */
export function quantityOf(level: FactorLevel): Quantity | undefined {
  if (typeof level === 'boolean') return undefined;
  if (typeof level === 'number') return Number.isFinite(level) ? { value: level, unit: 'count' } : undefined;
  if (/^\d+(\.\d+)?$/.test(level)) return { value: Number(level), unit: 'count' };
  return parsed(level, parseDurationUs, 'us') ?? parsed(level, parseSizeBytes, 'bytes');
}

/** The common unit of levels that can be drawn on one axis; undefined when a level has none or another one. */
export function commonUnit(levels: readonly FactorLevel[]): QuantityUnit | undefined {
  const units = new Set(levels.map((level) => quantityOf(level)?.unit));
  return units.size === 1 ? [...units][0] : undefined;
}

/** An amount of the unit: `5`, `40 ms`, `4 KiB`. */
export function formatQuantity(value: number, unit: QuantityUnit): string {
  if (unit === 'us') return formatUs(value);
  if (unit === 'bytes') return value % 1000 === 0 && value % 1024 !== 0 ? decimalBytes(value) : formatBytes(value);
  return String(Number(value.toPrecision(4)));
}

/** Whole KB, as in levels that are written in KB or MB. */
function decimalBytes(bytes: number): string {
  return bytes % 1e6 === 0 ? `${bytes / 1e6} MB` : `${bytes / 1e3} KB`;
}

function parsed(text: string, parse: (text: string) => number, unit: QuantityUnit): Quantity | undefined {
  try {
    return { value: parse(text), unit };
  } catch (error) {
    if (error instanceof TopoBenchError && error.code === 'TB_UNIT_INVALID') return undefined;
    throw error;
  }
}
