/** Durations, sizes and rates: parsed from text with units at every boundary, stored as µs, bytes and req/s. */
import { TopoBenchError } from './errors.ts';

const microsecondsPer: Record<string, number> = { us: 1, µs: 1, ms: 1e3, s: 1e6, m: 60e6, min: 60e6, h: 3600e6 };
const bytesPer: Record<string, number> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};
const quantity = /^(\d+(?:\.\d+)?)\s*([A-Za-zµ]+)$/;

/**
 * Reads a duration such as `100us`, `40ms`, `2s`, `1.5m` or `1h`.
 * @returns microseconds, ≥ 0
 * @throws TopoBenchError `TB_UNIT_INVALID`
 */
export function parseDurationUs(text: string): number {
  return parseQuantity(text, microsecondsPer, 'a duration such as 10ms or 2s');
}

/**
 * Reads a size such as `512B`, `64KiB` or `2MB`.
 * @returns bytes, ≥ 0, whole
 * @throws TopoBenchError `TB_UNIT_INVALID`
 */
export function parseSizeBytes(text: string): number {
  return Math.round(parseQuantity(text, bytesPer, 'a size such as 512B or 64KiB'));
}

function parseQuantity(text: string, factors: Record<string, number>, expected: string): number {
  // The micro sign, and the Greek letter that some keyboards have in its place.
  const match = quantity.exec(text.trim().replace('\u03bc', '\u00b5'));
  const unit = match?.[2] as string;
  // Own members only: `1constructor` is no quantity.
  const factor = match && Object.hasOwn(factors, unit) ? factors[unit] : undefined;
  if (!match || factor === undefined) {
    throw new TopoBenchError('TB_UNIT_INVALID', `${JSON.stringify(text)} is not ${expected}`, {
      hint: `known units: ${Object.keys(factors).join(', ')}`,
    });
  }
  return Number(match[1]) * factor;
}

/** Microseconds as readable text: three significant digits with a suitable unit; `infinite` for +∞. */
export function formatUs(us: number, infinite = '∞'): string {
  if (us === Number.POSITIVE_INFINITY) return infinite;
  if (!Number.isFinite(us)) return '–';
  const magnitude = Math.abs(us);
  if (magnitude < 1e3) return `${significant(us)} µs`;
  if (magnitude < 1e6) return `${significant(us / 1e3)} ms`;
  return `${significant(us / 1e6)} s`;
}

/** Bytes as readable text. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '–';
  for (const unit of ['GiB', 'MiB', 'KiB'] as const) {
    const factor = bytesPer[unit] as number;
    if (Math.abs(bytes) >= factor) return `${significant(bytes / factor)} ${unit}`;
  }
  return `${significant(bytes)} B`;
}

function significant(value: number): string {
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** Formats long durations: `45 s`, `12 min`, `1 h 05 min`. The precision suits an estimate. */
export function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `1 cell`, `3 cells`. @param count a number, or the level of a factor */
export function counted(count: number | string | boolean, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
