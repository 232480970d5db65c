/** Where the chosen option is overtaken, or overtakes another, within the levels of the runs. */
import { type BreakEven, breakEvens, type Crossing } from '@topo-bench/comparison';
import {
  describeCell,
  describeLevel,
  factorRow,
  factorWords,
  formatQuantity,
  quantityOf,
  type RunFolder,
  shortFactorName,
  TopoBenchError,
} from '@topo-bench/core';
import type { PremiseName } from '@topo-bench/core/schema/confirmation';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { studyMetrics } from '@topo-bench/studies';

type Level = FactorLevels[string];

export interface Asked {
  /** Factor whose levels are the options. */
  factor: string;
  chosen: Level;
  others: readonly Level[];
}

export interface Sensitivity {
  sentences: string[];
  /** Ends of a premise where the comparison shows that the order changes. */
  limits: Partial<Record<PremiseName, { min?: number; max?: number }>>;
}

/** Premises that a factor is about, and what a unit of its levels is in that of the premise. */
const premiseOf: Readonly<Record<string, { premise: PremiseName; scale: number }>> = {
  rate: { premise: 'rate', scale: 1 },
  services: { premise: 'services', scale: 1 },
  rulesPerService: { premise: 'rulesPerService', scale: 1 },
  delay: { premise: 'linkDelayMs', scale: 1e-3 },
};

export function sensitivityOf(runs: readonly RunFolder[], asked: Asked): Sensitivity {
  const found: Sensitivity = { sentences: [], limits: {} };
  for (const run of runs) {
    for (const along of orderedFactors(run, asked.factor)) {
      const curves = curvesOf(run, along, asked);
      found.sentences.push(...curves.map((curve) => curveSentence(curve, along, asked.factor, run)));
      for (const curve of curves) limit(found.limits, curve, along);
    }
  }
  const hidden = found.sentences.length - maxSentences;
  if (hidden > 0) found.sentences.splice(maxSentences, hidden, `And ${hidden} more curves of other settings.`);
  return found;
}

const maxSentences = 12;

/** Factors with at least two levels that have an order. */
function orderedFactors({ record }: RunFolder, compared: string): string[] {
  const levels = new Map<string, Set<Level>>();
  for (const cell of record.plannedCells) {
    for (const [name, level] of Object.entries(cell)) levels.set(name, (levels.get(name) ?? new Set()).add(level));
  }
  return [...levels].flatMap(([name, found]) => {
    const isOrdered = [...found].every((level) => quantityOf(level) !== undefined);
    return name !== compared && name !== 'seed' && found.size > 1 && isOrdered ? [name] : [];
  });
}

/** Those of the chosen level against each other one; none where nothing can be compared. */
function curvesOf(run: RunFolder, along: string, { factor, chosen, others }: Asked): BreakEven[] {
  return others.flatMap((reference) => {
    try {
      const all = breakEvens(run, { along, compared: factor, reference, metric: 'rtt.median', metrics: studyMetrics });
      return all.filter(({ level }) => level === chosen);
    } catch (error) {
      if (error instanceof TopoBenchError) return [];
      throw error;
    }
  });
}

/** One curve in words: where it crosses, or that it does not within its levels. */
export function curveSentence(curve: BreakEven, along: string, factor: string, run: RunFolder): string {
  const { level, reference, setting, points, crossings } = curve;
  const [first, last] = [points[0], points.at(-1)];
  const [one, other] = [describeLevel(factor, level), describeLevel(factor, reference)];
  const source = run.cells[0]?.source ?? 'measured';
  const where = settingText(setting, run);
  const over = `Over ${factorWords(along)} from ${first?.level} to ${last?.level}`;
  if (crossings.length > 0)
    return `${over}${where}, ${source}: ${crossings.map((crossing) => crossingText(crossing, along, one, other, source)).join('; ')}.`;
  const direction = (first?.cell.differencePercent ?? 0) < 0 ? 'lower' : 'higher';
  const verdict = direction === 'lower' ? 'faster' : 'slower';
  const shownAt = points.filter(({ cell }) => cell.verdict === verdict).length;
  return `${over}${where}, ${source}: the median of ${one} stays ${direction} than that of ${other}, shown at ${shownAt} of ${points.length} levels.`;
}

/** Only the levels that vary in the run. */
function settingText(setting: FactorLevels, { record }: RunFolder): string {
  const varying = Object.entries(setting).filter(([name, level]) =>
    record.plannedCells.some((cell) => cell[name] !== undefined && cell[name] !== level),
  );
  return varying.length === 0 ? '' : ` with ${describeCell(Object.fromEntries(varying))}`;
}

/** `sidecar stops being faster than central-entity at about 140 req/s (95% band 121 req/s to 160 req/s)`. */
function crossingText(crossing: Crossing, along: string, one: string, other: string, source: Cell['source']): string {
  const { at, lowerBefore, isShown, between } = crossing;
  const change = lowerBefore ? 'stops being' : 'becomes';
  // Replications repeat what the calibration states: their spread has no part of its error.
  const error = source === 'simulated' ? ' of replications, without the error of the calibration' : '';
  const text = `${one} ${change} faster than ${other} at about ${amountText(at, along, between[0])} (95% band${error}${bandText(crossing, along, error === '' ? ' ' : ': ')})`;
  return isShown ? text : `seen, but not shown: ${text}`;
}

function bandText({ band: [low, high], between: [before] }: Crossing, along: string, separator: string): string {
  const isLowKnown = Number.isFinite(low);
  const isHighKnown = Number.isFinite(high);
  const end = (value: number): string => amountText(value, along, before);
  if (!isLowKnown && !isHighKnown) return `${separator}wider than the levels of the run`;
  if (!isLowKnown) return `${separator}up to ${end(high)}, from below the lowest level`;
  if (!isHighKnown) return `${separator}from ${end(low)}, to above the highest level`;
  return `${separator}${end(low)} to ${end(high)}`;
}

/** @param like a level of the factor, for its unit */
function amountText(value: number, along: string, like: Level): string {
  const unit = quantityOf(like)?.unit ?? 'count';
  const rounded = unit === 'count' ? Number(value.toPrecision(3)) : value;
  const text = formatQuantity(rounded, unit);
  if (unit !== 'count') return text;
  const row = factorRow(shortFactorName(along));
  return `${text} ${row?.unit ?? row?.counted?.many ?? factorWords(along)}`;
}

function limit(limits: Sensitivity['limits'], { crossings }: BreakEven, along: string): void {
  const { premise, scale = 1 } = premiseOf[shortFactorName(along)] ?? {};
  if (premise === undefined) return;
  for (const { isShown, lowerBefore, between } of crossings) {
    if (!isShown) continue;
    const [before, after] = between.map((level) => (quantityOf(level)?.value ?? Number.NaN) * scale) as [
      number,
      number,
    ];
    const known = limits[premise] ?? {};
    if (lowerBefore) known.max = Math.min(known.max ?? before, before);
    else known.min = Math.max(known.min ?? after, after);
    limits[premise] = known;
  }
}
