/** Sentences that each stand for one pattern over several sources or layers of a data-access study. */
import { formatUs, groupedBy } from '@topo-bench/core';
import { formatCount } from '@topo-bench/report';
import type { Estimate } from '@topo-bench/stats';
import { isTold } from '@topo-bench/study-kit/repetition-effect';
import { estimatesText, restText, spanText, timesText, withinText } from '@topo-bench/study-kit/span-text';
import { variantName } from '../variants.ts';
import { type AccessCell, sourceName } from './access-cells.ts';
import { type LayerPrice, priceOf } from './layers.ts';

interface Lead {
  best: AccessCell;
  /** The native driver, or the only other variant; absent with one variant. */
  baseline?: AccessCell;
  /** Rows per second, of the best to the baseline. */
  ratio?: Estimate;
}

/** The fastest variant of a source against the native driver. */
export function leadOf(cells: readonly AccessCell[]): Lead | undefined {
  const [best, next] = [...cells].sort((a, b) => a.figures.durationMs - b.figures.durationMs);
  if (!best || !next) return best && { best };
  const native = cells.find(({ variant }) => variant === 'native');
  const baseline = native && native !== best ? native : next;
  return { best, baseline, ratio: priceOf(baseline, best, '').ratio };
}

/** @param sources cells of each source */
export function speedsOfMany(sources: readonly (readonly AccessCell[])[]): string[] {
  const leads = sources.flatMap((cells) => leadOf(cells) ?? []);
  const alone = leads.filter(({ ratio }) => !ratio);
  const compared = leads.flatMap(({ best, baseline, ratio }) => (baseline && ratio ? [{ best, baseline, ratio }] : []));
  const told = compared.filter(({ ratio }) => isTold(ratio));
  const parts = [
    ...groupedBy(told, ({ best, baseline }) => `${variantName(best.variant)}|${variantName(baseline.variant)}`),
  ].map(([names, own]) => {
    const [best, baseline] = names.split('|');
    const ratios = own.map(({ ratio }) => ratio);
    return `${best} reads ${estimatesText(ratios, timesText)} times as fast as ${baseline} in ${own.length} of ${leads.length} sources (${withinText(ratios, timesText)})`;
  });
  const rates = spanText(
    alone.map(({ best }) => best.figures.rowsPerSecond),
    formatCount,
  );
  return [
    ...(parts.length > 0 ? [`${parts.join('; ')}${restText(compared.length - told.length, 'difference')}.`] : []),
    ...(parts.length === 0 && compared.length > 0
      ? [`No variant is shown to be the fastest in any of ${compared.length} sources.`]
      : []),
    ...(alone.length > 0 ? [`${alone.length} sources with one variant each read ${rates} rows/s.`] : []),
  ];
}

/** What each layer adds, over all sources; layers without a difference share a clause. */
export function pricesOfMany(prices: readonly LayerPrice[]): string[] {
  const known = prices.filter(({ difference: { interval } }) => interval.every(Number.isFinite));
  const shown = known.filter(({ difference: { interval } }) => interval[0] > 0 || interval[1] < 0);
  const parts = [...groupedBy(shown, ({ layer }) => layer)].map(([layer, own]) => {
    const differences = own.map(({ difference }) => difference);
    const amount = estimatesText(differences, signedMs);
    const { size } = new Set(own.map(({ cell }) => cell.source));
    return `${layer} ${amount} (${size > 1 ? `in ${size} sources; ` : ''}${withinText(differences, signedMs)})`;
  });
  const open = layersOf(
    known.filter((price) => !shown.includes(price)),
    prices,
  );
  const unknown = layersOf(
    prices.filter((price) => !known.includes(price)),
    prices,
  );
  return [
    ...(parts.length > 0 ? [`Layers change the time of a read: ${parts.join(', ')}.`] : []),
    ...(open === '' ? [] : [`No difference is shown for: ${open}.`]),
    ...(unknown === '' ? [] : [`The price of these layers has no interval yet: ${unknown}.`]),
  ];
}

/** Layers, with the sources where they are a part of all. */
function layersOf(some: readonly LayerPrice[], all: readonly LayerPrice[]): string {
  return [...groupedBy(some, ({ layer }) => layer)]
    .map(([layer, own]) => {
      const isPart = all.some((price) => price.layer === layer && !own.includes(price));
      return isPart ? `${layer} (${own.map(({ cell }) => sourceName(cell.source)).join(', ')})` : layer;
    })
    .join(', ');
}

/** @param sources cells of the query for one row, of each source */
export function oneRowOfMany(sources: readonly (readonly AccessCell[])[]): string {
  const times = [...groupedBy(sources.flat(), ({ variant }) => variant)].map(([variant, own]) => {
    const durations = own.map(({ figures }) => figures.durationMs).filter((ms) => !Number.isNaN(ms));
    return `${variantName(variant)} ${spanText(durations, (ms) => formatUs(ms * 1e3))}`;
  });
  return `One row from start to result, over ${sources.length} sources: ${times.join(', ')}.`;
}

/** `+812 ms` */
export function signedMs(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${formatUs(Math.abs(ms) * 1e3)}`;
}
