/** The answer to a data-access study in sentences, the main one first. None claims more than its interval shows. */
import { costOfRounds } from '@topo-bench/comparison';
import { formatUs } from '@topo-bench/core';
import { formatCount, formatRatio } from '@topo-bench/report';
import { type ReportModel, thresholdSentences } from '@topo-bench/report/model';
import { intervalNeeds } from '../../interval-needs.ts';
import { isBounded, isTold } from '../../repetition-effect.ts';
import { variantName, variantParts } from '../variants.ts';
import { type AccessCell, accessCells, levelsOf, sourceName, wholeReads } from './access-cells.ts';
import { type LayerPrice, layerPrices, priceOf } from './layers.ts';

export function accessSentences(report: ReportModel): string[] {
  const cells = accessCells(report);
  const measured = cells.filter(({ durations }) => durations.size > 0);
  if (measured.length === 0) return ['No repetition is valid.', ...wrongSentences(cells)];
  const prices = levelsOf(measured, 'source').flatMap((source) => {
    const own = largest(measured.filter((cell) => cell.source === source));
    return [...speedSentences(own), ...layerPrices(own).flatMap(priceSentence)];
  });
  return [
    ...prices,
    ...deploymentSentences(measured),
    ...intervalNeeds(
      measured.map(({ durations }) => durations),
      costOfRounds(report.runs),
    ),
    ...wrongSentences(cells),
    ...thresholdSentences(report),
  ];
}

/** The cells of the largest volume; without whole reads, those of the query for one row. */
function largest(cells: readonly AccessCell[]): AccessCell[] {
  const whole = wholeReads(cells);
  const read = whole.length > 0 ? whole : cells;
  const max = Math.max(...read.map(({ volume }) => volume));
  return read.filter(({ volume, others }) => volume === max && others === (read[0] as AccessCell).others);
}

/** The fastest variant against the native driver, or against the only other one. */
function speedSentences(cells: readonly AccessCell[]): string[] {
  const ranked = [...cells].sort((a, b) => a.figures.durationMs - b.figures.durationMs);
  const [best] = ranked;
  if (!best) return [];
  const where = `${sourceName(best.source)}, ${formatCount(best.volume)} rows`;
  if (ranked.length === 1) {
    return [`${where}: ${variantName(best.variant)} read ${formatCount(best.figures.rowsPerSecond)} rows/s.`];
  }
  const native = cells.find(({ variant }) => variant === 'native');
  const baseline = native && native !== best ? native : (ranked[1] as AccessCell);
  const { ratio } = priceOf(baseline, best, '');
  const many = `${formatRatio(ratio.estimate).replace('×', '')} times as fast as ${variantName(baseline.variant)}`;
  const text = isBounded(ratio) && !isTold(ratio) ? 'no difference was shown between' : undefined;
  const within = intervalText(ratio, (value) => formatRatio(value).replace('×', ''));
  if (text) {
    const names = `${variantName(best.variant)} and ${variantName(baseline.variant)}`;
    return [`${where}: ${text} ${names}, at ${formatCount(best.figures.rowsPerSecond)} rows/s (${within}).`];
  }
  return [
    `${where}: ${variantName(best.variant)} reads ${many} (${within}), ${formatCount(best.figures.rowsPerSecond)} rows/s.`,
  ];
}

/** `+812 ms` */
export function signedMs(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${formatUs(Math.abs(ms) * 1e3)}`;
}

function priceSentence(price: LayerPrice): string[] {
  const { cell, baseline, difference } = price;
  if (cell.variant === 'columnar' || Number.isNaN(difference.estimate)) return [];
  const [low, high] = difference.interval;
  const isKnown = Number.isFinite(low) && Number.isFinite(high);
  const within = isKnown ? `95% interval ${signedMs(low)} to ${signedMs(high)}` : 'interval unknown';
  const isUnclear = isKnown && low <= 0 && high >= 0;
  const subject = `${sourceName(cell.source)}: ${variantName(cell.variant)}`;
  const hasStart = variantParts[cell.variant as keyof typeof variantParts]?.place && cell.figures.startMs > 0;
  const start = hasStart ? `; ${formatUs(cell.figures.startMs * 1e3)} of its time pass before the first data` : '';
  if (isUnclear) {
    return [
      `${subject} shows no difference to ${variantName(baseline.variant)}: ${signedMs(difference.estimate)} (${within}).`,
    ];
  }
  const verb = difference.estimate < 0 ? 'saves' : 'costs';
  const amount = formatUs(Math.abs(difference.estimate) * 1e3);
  return [`${subject} ${verb} ${amount} against ${variantName(baseline.variant)} (${within})${start}.`];
}

/** The query for one row shows what the layers themselves take. */
function deploymentSentences(cells: readonly AccessCell[]): string[] {
  const single = cells.filter(({ query }) => query === 'one-row');
  if (single.length === 0 || single.length === cells.length) return [];
  return levelsOf(single, 'source').map((source) => {
    const times = single
      .filter((cell) => cell.source === source)
      .map(({ variant, figures }) => `${variantName(variant)} ${formatUs(figures.durationMs * 1e3)}`);
    return `${sourceName(source)}, one row from start to result: ${times.join(', ')}.`;
  });
}

function wrongSentences(cells: readonly AccessCell[]): string[] {
  const wrong = cells.flatMap(({ group }) => [...group.valid, ...group.invalid]).filter(({ access }) => access?.wrong);
  if (wrong.length === 0) return [];
  const variants = [...new Set(wrong.map(({ access }) => variantName(access?.variant ?? '')))].join(', ');
  const [many, are] = wrong.length === 1 ? ['1 repetition', 'is'] : [`${wrong.length} repetitions`, 'are'];
  return [`${many} delivered wrong rows and ${are} invalid: ${variants}.`];
}

function intervalText({ interval: [low, high] }: { interval: [number, number] }, format: (value: number) => string) {
  return low > 0 && Number.isFinite(high) ? `95% interval ${format(low)} to ${format(high)}` : 'interval unknown';
}
