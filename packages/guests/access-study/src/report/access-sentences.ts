/** The answer to a data-access study in sentences, the main one first. None claims more than its interval shows. */
import { costOfRounds } from '@topo-bench/comparison';
import { formatUs } from '@topo-bench/core';
import { formatCount } from '@topo-bench/report';
import { type ReportModel, sentencesBySubject, thresholdSentences } from '@topo-bench/report/model';
import { intervalNeeds } from '@topo-bench/study-kit/interval-needs';
import { isBounded, isTold } from '@topo-bench/study-kit/repetition-effect';
import { timesText } from '@topo-bench/study-kit/span-text';
import type { AccessEntry } from '../parts.ts';
import { variantName, variantParts } from '../variants.ts';
import { type AccessCell, accessCells, levelsOf, sourceName, wholeReads } from './access-cells.ts';
import { type LayerPrice, layerPrices } from './layers.ts';
import { leadOf, oneRowOfMany, pricesOfMany, signedMs, speedsOfMany } from './sentences-of-many.ts';

export function accessSentences(report: ReportModel): string[] {
  const cells = accessCells(report);
  const measured = cells.filter(({ durations }) => durations.size > 0);
  if (measured.length === 0) return ['No repetition is valid.', ...wrongSentences(cells)];
  const sources = levelsOf(measured, 'source').map((source) =>
    largest(measured.filter((cell) => cell.source === source)),
  );
  const prices = sources.flatMap(layerPrices).filter(hasSentence);
  const isOneRow = wholeReads(measured).length === 0;
  return [
    ...(isOneRow ? oneRowSentences(measured) : wholeSentences(sources)),
    ...sentencesBySubject(
      prices,
      () => '',
      priceSentence,
      (_, all) => pricesOfMany(all),
    ),
    ...(isOneRow ? [] : oneRowSentences(measured)),
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

function wholeSentences(sources: readonly (readonly AccessCell[])[]): string[] {
  return sentencesBySubject(
    sources,
    () => '',
    speedSentences,
    (_, all) => speedsOfMany(all),
  );
}

function speedSentences(cells: readonly AccessCell[]): string[] {
  const { best, baseline, ratio } = leadOf(cells) ?? {};
  if (!best) return [];
  const where = `${sourceName(best.source)}, ${formatCount(best.volume)} rows`;
  const speed = `${formatCount(best.figures.rowsPerSecond)} rows/s`;
  if (!baseline || !ratio) return [`${where}: ${variantName(best.variant)} read ${speed}.`];
  const within = intervalText(ratio, timesText);
  if (isBounded(ratio) && !isTold(ratio)) {
    const names = `${variantName(best.variant)} and ${variantName(baseline.variant)}`;
    return [`${where}: no difference was shown between ${names}, at ${speed} (${within}).`];
  }
  const many = `${timesText(ratio.estimate)} times as fast as ${variantName(baseline.variant)}`;
  return [`${where}: ${variantName(best.variant)} reads ${many} (${within}), ${speed}.`];
}

/** The price of columns is in the sentence on the fastest variant. */
function hasSentence({ cell, difference }: LayerPrice): boolean {
  return cell.variant !== 'columnar' && !Number.isNaN(difference.estimate);
}

function priceSentence({ cell, baseline, difference }: LayerPrice): string {
  const [low, high] = difference.interval;
  const isKnown = Number.isFinite(low) && Number.isFinite(high);
  const within = isKnown ? `95% interval ${signedMs(low)} to ${signedMs(high)}` : 'interval unknown';
  const isUnclear = isKnown && low <= 0 && high >= 0;
  const subject = `${sourceName(cell.source)}: ${variantName(cell.variant)}`;
  const hasStart = variantParts[cell.variant as keyof typeof variantParts]?.place && cell.figures.startMs > 0;
  const start = hasStart ? `; ${formatUs(cell.figures.startMs * 1e3)} of its time pass before the first data` : '';
  if (isUnclear) {
    return `${subject} shows no difference to ${variantName(baseline.variant)}: ${signedMs(difference.estimate)} (${within}).`;
  }
  const verb = difference.estimate < 0 ? 'saves' : 'costs';
  const amount = formatUs(Math.abs(difference.estimate) * 1e3);
  return `${subject} ${verb} ${amount} against ${variantName(baseline.variant)} (${within})${start}.`;
}

/** The query for one row shows what the layers themselves take. */
function oneRowSentences(cells: readonly AccessCell[]): string[] {
  const single = cells.filter(({ query }) => query === 'one-row');
  const bySource = levelsOf(single, 'source').map((source) => single.filter((cell) => cell.source === source));
  return sentencesBySubject(
    bySource,
    () => '',
    oneRowSentence,
    (_, all) => oneRowOfMany(all),
  );
}

function oneRowSentence(cells: readonly AccessCell[]): string {
  const times = cells.map(({ variant, figures }) => `${variantName(variant)} ${formatUs(figures.durationMs * 1e3)}`);
  return `${sourceName((cells[0] as AccessCell).source)}, one row from start to result: ${times.join(', ')}.`;
}

function wrongSentences(cells: readonly AccessCell[]): string[] {
  const wrong = cells
    .flatMap(({ group }) => [...group.valid, ...group.invalid])
    .filter(({ access }: AccessEntry) => access?.wrong);
  if (wrong.length === 0) return [];
  const variants = [...new Set(wrong.map(({ access }: AccessEntry) => variantName(access?.variant ?? '')))].join(', ');
  const [many, are] = wrong.length === 1 ? ['1 repetition', 'is'] : [`${wrong.length} repetitions`, 'are'];
  return [`${many} delivered wrong rows and ${are} invalid: ${variants}.`];
}

function intervalText({ interval: [low, high] }: { interval: [number, number] }, format: (value: number) => string) {
  return low > 0 && Number.isFinite(high) ? `95% interval ${format(low)} to ${format(high)}` : 'interval unknown';
}
