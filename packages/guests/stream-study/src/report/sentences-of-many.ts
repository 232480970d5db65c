/** Sentences that each stand for one pattern over several settings of a stream study; the tables have each setting. */
import { describeLevel, formatUs, groupedBy } from '@topo-bench/core';
import { formatCount } from '@topo-bench/report';
import type { Estimate } from '@topo-bench/stats';
import { percentText } from '@topo-bench/study-kit/interval-text';
import { isBounded, isTold, ratioOf } from '@topo-bench/study-kit/repetition-effect';
import { estimatesText, restText, spanText, timesText, withinText } from '@topo-bench/study-kit/span-text';
import type { enginePairs } from './engine-tables.ts';
import { type StreamCell, spanOfLatency, type windowPairs } from './stream-cells.ts';

type Settings = readonly (readonly StreamCell[])[];
type WindowPairs = readonly ReturnType<typeof windowPairs>[number][];
type EnginePairs = readonly ReturnType<typeof enginePairs>[number][];

/** How often each database is shown to be faster than all others. */
export function fastestOfMany(unit: string, settings: Settings): string {
  const several = settings.filter(({ length }) => length > 1);
  if (several.length === 0) {
    const rates = valuesOf(settings.flat(), ({ figures }) => figures.pointsPerSecond);
    return `In ${settings.length} settings, ${spanText(rates, formatCount)} ${unit}/s at full speed.`;
  }
  const shown = several.flatMap((cells) => shownFastest(cells) ?? []);
  const rest = several.length - shown.length;
  if (shown.length === 0)
    return `In ${unit}/s, no database is shown to be the fastest in any of ${several.length} settings.`;
  const parts = [...groupedBy(shown, ({ best }) => best.name)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, own]) => {
      const next = own.map(({ lead }) => lead);
      return `${name} in ${own.length}, with ${estimatesText(next, timesText)} times as many ${unit}/s as the next one (${withinText(next, timesText)})`;
    });
  return `Shown to be the fastest at full speed, of ${several.length} settings: ${parts.join('; ')}${rest === 0 ? '' : `; none in ${rest}`}.`;
}

/** The fastest database of a setting; undefined where it is not shown to be faster than each of the others. */
function shownFastest(cells: readonly StreamCell[]): { best: StreamCell; lead: Estimate } | undefined {
  const [best, ...others] = [...cells].sort((a, b) => b.figures.pointsPerSecond - a.figures.pointsPerSecond);
  if (!best) return undefined;
  const leads = others.map(({ rates }) => ratioOf(rates, best.rates));
  return leads[0] && leads.every(isShown) ? { best, lead: leads[0] } : undefined;
}

export function sustainedOfMany(unit: string, settings: Settings): string[] {
  const known = settings.flat().filter(({ sustained }) => sustained.size > 0);
  if (known.length === 0) return [];
  const rates = byName(known, ({ figures }) => figures.sustainedPerSecond, formatCount);
  return [`Over ${settings.length} settings, the database keeps up with (${unit}/s): ${rates}.`];
}

export function latencyOfMany(unit: string, settings: Settings): string[] {
  const cells = settings.flat();
  const times = byName(
    cells,
    ({ figures }) => figures.endToEndP95Ms,
    (ms) => formatUs(ms * 1e3),
  );
  if (times === '') return [];
  return [`Over ${settings.length} settings, p95 from ${spanOfLatency(unit)} at the fixed rate: ${times}.`];
}

export function windowsOfMany(windows: string, pairs: WindowPairs): string {
  const ratios = pairs.map(({ without, with: own }) => ratioOf(without.rates, own.rates));
  const told = ratios.filter(isShown);
  if (told.length === 0) return `Windows of ${windows} show no effect on throughput in ${pairs.length} settings.`;
  const rest = restText(pairs.length - told.length, 'effect');
  return `Windows of ${windows} change throughput by ${estimatesText(told, percentText)} in ${told.length} of ${pairs.length} settings (${withinText(told, percentText)})${rest}.`;
}

/** What pairs of one sentence share: the other engine, and what it processes. */
export function engineOfPair({ other }: EnginePairs[number]): string {
  return `${describeLevel('streamEngine', other.levels.streamEngine ?? '')}, ${other.unit}/s`;
}

export function enginesOfMany(engine: string, pairs: EnginePairs): string {
  const ratios = pairs.map(({ embedded, other }) => ratioOf(embedded.rates, other.rates));
  const told = ratios.filter(isShown);
  const start = `At full speed ${engine}`;
  if (told.length === 0) return `${start}: no difference to the embedded engine is shown in ${pairs.length} settings.`;
  const rest = restText(pairs.length - told.length, 'difference');
  return `${start}: ${estimatesText(told, timesText)} times those of the embedded engine in ${told.length} of ${pairs.length} settings (${withinText(told, timesText)})${rest}.`;
}

function isShown(ratio: Estimate): boolean {
  return isBounded(ratio) && isTold(ratio);
}

/** The range of a figure for each database; empty without any. */
function byName(
  cells: readonly StreamCell[],
  read: (cell: StreamCell) => number,
  format: (value: number) => string,
): string {
  return [...groupedBy(cells, ({ name }) => name)]
    .map(([name, own]) => ({ name, values: valuesOf(own, read) }))
    .filter(({ values }) => values.length > 0)
    .sort((a, b) => Math.min(...a.values) - Math.min(...b.values))
    .map(({ name, values }) => `${name} ${spanText(values, format)}`)
    .join(', ');
}

function valuesOf(cells: readonly StreamCell[], read: (cell: StreamCell) => number): number[] {
  return cells.map(read).filter((value) => !Number.isNaN(value));
}
