/** Parsers of option values. Their errors name the expected value. */
import { parseDurationUs, TopoBenchError } from '@topo-bench/core';
import type { Price } from '@topo-bench/report';
import { InvalidArgumentError } from 'commander';

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isSafeInteger(value) || value < minimum || value > maximum) {
      throw new InvalidArgumentError(`Expected a whole number ${range}.`);
    }
    return value;
  };
}

function positiveNumber(maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value > 0 && value <= maximum)) {
      throw new InvalidArgumentError(`Expected a number above 0 and at most ${maximum}.`);
    }
    return value;
  };
}

/** `2%` or `0.02`. */
export function shareOf(maximum: number): (text: string) => number {
  return (text) => {
    const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
    if (text.trim() === '' || !(value > 0 && value <= maximum)) {
      throw new InvalidArgumentError(`Expected a share above 0 and at most ${100 * maximum}%, such as 2%.`);
    }
    return value;
  };
}

/** One rate, or the two ends of a ramp; in req/s. */
export interface RateRange {
  fromRps: number;
  toRps: number | undefined;
}

/** `100`, or `100..1000` for a rate that changes evenly over the load. */
export function rateRange(maximum: number): (text: string) => RateRange {
  const rate = positiveNumber(maximum);
  return (text) => {
    const [from = '', to, ...more] = text.split('..');
    if (more.length > 0 || (to !== undefined && Number.isNaN(Number.parseFloat(to)))) {
      throw new InvalidArgumentError('Expected a rate such as 100, or a ramp such as 100..1000.');
    }
    return { fromRps: rate(from), toRps: to === undefined ? undefined : rate(to) };
  };
}

/** A duration with its unit; in µs. */
export function durationUs(text: string): number {
  try {
    return parseDurationUs(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof TopoBenchError ? `${error.message}.` : String(error));
  }
}

/** `0.04`, `0.04EUR`, `$0.04`. */
export function pricePerCoreHour(text: string): Price {
  const currency = /^(?:[A-Za-z]{3}|[€$£])$/;
  const [, before = '', amount = '', after = ''] =
    /^([^\d\s]*)\s*(\d+(?:\.\d+)?)\s*([^\d\s]*)$/.exec(text.trim()) ?? [];
  const unit = before || after;
  const isKnown = unit === '' || (currency.test(unit) && (before === '' || after === ''));
  if (!isKnown || !(Number(amount) > 0)) {
    throw new InvalidArgumentError('Expected a price above 0, such as 0.04 or 0.04EUR.');
  }
  return { perCoreHour: Number(amount), currency: unit.toUpperCase() };
}

/** `path=value`, split at the first `=`. */
function assignment(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(`Expected name=value, got ${JSON.stringify(text)}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Collects repeated `path=value` options. */
export function collectAssignments(text: string, previous: readonly [string, string][] = []): [string, string][] {
  return [...previous, assignment(text)];
}

/** Parses numbers, true, false and JSON. Any other text stays a string (`5s`, `sidecar`). */
export function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Values of `path=value` by path. A variable of a service gets the text, where it is none of the value (`1.10`). */
export function assignedValues(set: readonly [path: string, text: string][]): Record<string, unknown> {
  return Object.fromEntries(
    set.map(([path, text]) => {
      const value = parsedValue(variables.test(path) ? withQuotedNumbers(text) : text);
      const hasText = typeof value === 'string' || (value !== null && String(value) === text);
      return [path, variable.test(path) && !hasText ? text : value];
    }),
  );
}

const variable = /^(topology\.)?services\b.*\.env\.[^.]+$/;
const variables = /^(topology\.)?services\b.*\.env$/;

/** A JSON text with its numbers as texts. */
function withQuotedNumbers(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g, (token, text?: string) => text ?? `"${token}"`);
}

/** Collects repeated `name: value` headers, in order. */
export function collectHeaders(text: string, previous: readonly [string, string][] = []): [string, string][] {
  const [, name, value] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected name: value.');
  return [...previous, [name, value]];
}

/** Collects a repeated option. */
export function collect(text: string, previous: readonly string[] = []): string[] {
  return [...previous, text];
}

/** A relative difference written as `5%` or as a fraction `0.05`; returned as a fraction above 0. */
export function relativeEffect(text: string): number {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  const value = Number(digits) / (percent ? 100 : 1);
  // A bare 5 would mean 500%.
  if (digits === '' || !(value > 0) || (value >= 1 && !percent))
    throw new InvalidArgumentError('Expected a share above 0 such as 5%.');
  return value;
}
