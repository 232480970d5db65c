/**
 * The question that a run asks, answered in sentences: which level of the compared factor had the lowest median RTT in each setting of
 * the others. A claim is made only where every repetition of one was faster than every repetition of the next; else it says so.
 */
import { formatUs } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { formatRatio, infiniteText } from '../figure-text.ts';
import type { CellFigures } from './cell-group.ts';
import { comparedFactor, type Factor, type Level, levelsKey } from './factors.ts';
import type { ReportModel } from './report-model.ts';

export interface Contender {
  level: Level;
  /** In µs: median over repetitions, smallest and largest of them. */
  medianUs: number;
  rangeUs: [number, number];
  repetitions: number;
  /** Median as a multiple of the reference's in this setting; NaN without one. */
  ratio: number;
  saturated: boolean;
}

/** One setting of the factors that are not compared. */
export interface Setting {
  factors: FactorLevels;
  contenders: Contender[];
  /** The contender with the lowest median among those that enforce rules; undefined when fewer than two have one. */
  first: Contender | undefined;
  /** Every repetition of the first was faster than every one of the next, with at least two of each. */
  apart: boolean;
}

export interface Answer {
  compared: Factor;
  /** Level that ratios refer to. */
  reference: Level;
  settings: Setting[];
  sentences: string[];
}

/** Undefined when no factor varies: there is nothing to compare. */
export function answerOf({ factors, groups, drainUs }: Pick<ReportModel, 'factors' | 'groups' | 'drainUs'>): Answer | undefined {
  const compared = comparedFactor(factors);
  if (!compared) return undefined;
  const reference = ['none', 'sidecar'].find((level) => compared.levels.includes(level)) ?? (compared.levels[0] as Level);
  const bySetting = new Map<string, { factors: FactorLevels; figures: Map<Level, CellFigures> }>();
  for (const { factors: levels, figures } of groups) {
    const { [compared.name]: level, ...others } = levels;
    const setting = bySetting.get(levelsKey(others)) ?? { factors: others, figures: new Map() };
    bySetting.set(levelsKey(others), setting);
    if (figures && level !== undefined) setting.figures.set(level, figures);
  }
  const settings = [...bySetting.values()].map((setting) => settingOf(setting, compared, reference, groups));
  return { compared, reference, settings, sentences: sentencesFor(compared, reference, settings, infiniteText(drainUs)) };
}

function settingOf(
  { factors, figures }: { factors: FactorLevels; figures: Map<Level, CellFigures> },
  compared: Factor,
  reference: Level,
  groups: ReportModel['groups'],
): Setting {
  const referenceUs = figures.get(reference)?.rtt.medianUs ?? Number.NaN;
  const contenders = compared.levels.flatMap((level) => {
    const found = figures.get(level);
    if (!found) return [];
    const medianUs = found.rtt.medianUs;
    const key = levelsKey({ ...factors, [compared.name]: level });
    const repetitions = groups.find((group) => levelsKey(group.factors) === key)?.valid.length ?? 0;
    const saturated = (found.flags['host-saturated'] ?? 0) > 0;
    return [{ level, medianUs, rangeUs: found.medianRangeUs, repetitions, ratio: medianUs / referenceUs, saturated }];
  });
  const [first, second] = contenders
    .filter(({ level, medianUs }) => enforces(compared, level) && !Number.isNaN(medianUs))
    .sort((a, b) => a.medianUs - b.medianUs);
  if (!first || !second || first.medianUs === Number.POSITIVE_INFINITY)
    return { factors, contenders, first: undefined, apart: false };
  const apart = first.repetitions > 1 && second.repetitions > 1 && first.rangeUs[1] < second.rangeUs[0];
  return { factors, contenders, first, apart };
}

/** `none` is the price of nothing: it is what the others are measured against, not one of them. */
function enforces({ name }: Factor, level: Level): boolean {
  return !(name === 'architecture' && level === 'none');
}

function sentencesFor(compared: Factor, reference: Level, settings: readonly Setting[], infinite: string): string[] {
  const decided = settings.filter(({ first }) => first !== undefined);
  if (decided.length === 0) return ['There are no two cells with valid figures to compare yet.'];
  const [only] = settings;
  const sentences =
    settings.length === 1 && only ? oneSetting(compared, reference, only, infinite) : manySettings(compared, settings);
  const saturated = settings.filter(({ contenders }) => contenders.some((contender) => contender.saturated)).length;
  if (saturated > 0) {
    const where = settings.length === 1 ? 'The host was' : `In ${saturated} of ${settings.length} settings the host was`;
    sentences.push(`${where} saturated: there the figures tell how much this machine could bear, not where enforcement belongs.`);
  }
  return sentences;
}

function oneSetting(compared: Factor, reference: Level, { first, contenders, apart }: Setting, infinite: string): string[] {
  if (!first) return [];
  const us = (value: number): string => formatUs(value, infinite);
  const others = contenders.filter(({ level }) => level !== first.level && enforces(compared, level));
  const [second] = others.toSorted((a, b) => a.medianUs - b.medianUs);
  const against = first.level === reference ? '' : `, ${formatRatio(first.ratio)} that of ${reference}`;
  const range = ([low, high]: [number, number]): string => `${us(low)} to ${us(high)}`;
  const certainty =
    first.repetitions < 2 || (second?.repetitions ?? 0) < 2
      ? 'With one repetition each, the order may be chance.'
      : apart
        ? `Every repetition of ${first.level} was faster than every one of ${second?.level}.`
        : `Repetitions of ${first.level} (${range(first.rangeUs)}) and ${second?.level} (${range(second?.rangeUs ?? [0, 0])}) overlap: which of the two is faster is not shown.`;
  return [
    `${first.level} had the lowest median round-trip time${compared.name === 'architecture' ? ' of those that enforce rules' : ''}: ${us(first.medianUs)}${against}.`,
    `Then ${others
      .toSorted((a, b) => a.medianUs - b.medianUs)
      .map(({ level, medianUs }) => `${level} with ${us(medianUs)} (${formatRatio(medianUs / first.medianUs)})`)
      .join(', ')}.`,
    certainty,
  ];
}

function manySettings(compared: Factor, settings: readonly Setting[]): string[] {
  const wins = new Map<Level, number>();
  for (const { first } of settings) if (first) wins.set(first.level, (wins.get(first.level) ?? 0) + 1);
  const [best, ...rest] = [...wins].sort((a, b) => b[1] - a[1]);
  if (!best) return [];
  const others = rest.map(([level, count]) => `${level} in ${count}`).join(', ');
  const decided = [...wins.values()].reduce((sum, count) => sum + count, 0);
  const apart = settings.filter((setting) => setting.apart).length;
  const undecided = settings.length - decided;
  return [
    `${best[0]} had the lowest median round-trip time${compared.name === 'architecture' ? ' of those that enforce rules' : ''} in ${best[1]} of ${settings.length} settings${others ? `; ${others}` : ''}.`,
    apart === decided
      ? 'In each of them every repetition of the fastest was faster than every one of the next.'
      : `In ${apart} of these ${decided} every repetition of the fastest was faster than every one of the next; in the others repetitions overlap, or there is only one, and the order may be chance.`,
    ...(undecided > 0
      ? [`${undecided} of ${settings.length} settings cannot be ranked: cells are missing, or most requests never finished.`]
      : []),
  ];
}
