/** The trends of a report in sentences: the knee of each line with its limit, and what a step of the factor costs. */
import {
  bottleneckText,
  type CostOfRounds,
  costOfRounds,
  furtherText,
  type Knee,
  type KneeLevel,
} from '@topo-bench/comparison';
import { describeIncrease, formatUs } from '@topo-bench/core';
import { ratio } from '@topo-bench/stats';
import { formatRatio } from '../figure-text.ts';
import { describeLevels, type Level } from '../model/factors.ts';
import type { ReportModel } from '../model/report-model.ts';
import type { Cost } from './cost.ts';
import { levelText, sharedLevels, type Trend, type TrendLine, trendsOf } from './trend.ts';
import { isLoadOf, roundTripTime, type TrendFigure } from './trend-figure.ts';
import type { TrendPoint } from './trend-point.ts';

/** Repetitions per level with which a ratio of two levels has an interval at 95%. */
const minRepetitions = 4;
/** A report with more lines has its sentences in the table instead. */
const maxSentences = 12;

export interface TrendSentences {
  /** Findings: a knee, a highest level that was borne, a cost. */
  shown: string[];
  /** What the repetitions do not show. */
  open: string[];
}

interface Finding {
  text: string;
  isShown: boolean;
}

/** One or two sentences per line; none without an ordered factor that varies. */
export function trendSentences(
  report: Pick<ReportModel, 'groups'> & Partial<Pick<ReportModel, 'runs'>>,
  figure: TrendFigure = roundTripTime,
): TrendSentences {
  const shared = sharedLevels(report.groups).filter(({ name }) => !isLoadOf(figure, name));
  const levels = Object.fromEntries(shared.map(({ name, levels: [level] }) => [name, level as Level]));
  const setting = describeLevels(shared, levels);
  const cost = report.runs && costOfRounds(report.runs);
  const all = trendsOf(report, figure).flatMap((trend) =>
    trend.panels.flatMap(({ lines }) => lines.flatMap((line) => findingsOf(trend, line, cost))),
  );
  if (all.length > maxSentences) return { shown: [], open: [] };
  const sentence = ({ text }: Finding): string => capitalised(setting === '' ? text : `with ${setting}, ${text}`);
  return {
    shown: all.filter(({ isShown }) => isShown).map(sentence),
    open: all.filter(({ isShown }) => !isShown).map(sentence),
  };
}

function findingsOf(trend: Trend, line: TrendLine, cost: CostOfRounds | undefined): Finding[] {
  const { knee } = line;
  const ofLoad = {
    text: loadSentence(trend, line, cost),
    isShown: knee ? knee.before !== undefined || knee.open.length === 0 : lowestAtLimit(line) !== undefined,
  };
  if (trend.isLoad) return [ofLoad];
  return [...(knee?.before === undefined ? [] : [ofLoad]), ...costFindings(trend, line)];
}

/** What the line bears, and what stops it at the next level. */
function loadSentence(trend: Trend, line: TrendLine, cost: CostOfRounds | undefined): string {
  const { knee } = line;
  const name = line.name === '' ? 'the system' : line.name;
  const text = (x: number): string => levelText(trend, x);
  const full = lowestAtLimit(line);
  if (full) {
    return `${name} is at its limit at ${text(full.x)} already, the lowest level measured: ${bottleneckText(full.limit)}. Lower levels would show what it bears.`;
  }
  if (!knee) return `the knee of ${name} cannot be found: ${whyNoKnee(line)}.`;
  const last = line.points.filter(({ median }) => median.values.length > 0).at(-1) as TrendPoint;
  const { after, before, open } = knee;
  if (before === undefined && open.length === 0)
    return `${name} bears ${text(after)}, the highest level measured: the median there is ${growth(line, referenceOf(line), after)} that at ${text(referenceOf(line))}${unmeasured(trend, line)}.`;
  if (before === undefined) return `${name} bears ${text(after)}; ${undecided(trend, line, { knee, last, cost })}.`;
  const at = line.points.find(({ x }) => x === before) as TrendPoint;
  const between = open.length === 0 ? '' : ` (what it does at ${listed(open.map(text))} is not shown)`;
  return `${name} bears ${text(after)}${between}; at ${text(before)} ${bottleneckText(at.limit)}, and the median is ${growth(line, after, before)} that at ${text(after)}${unmeasured(trend, line)}.`;
}

/** The lowest level with values, where it was at the limit of the system and so is no reference. */
function lowestAtLimit({ points, kneeLevels }: TrendLine): TrendPoint | undefined {
  const lowest = kneeLevels.find(({ values }) => values.length > 0);
  return lowest?.atLimit ? points.find(({ x }) => x === lowest.x) : undefined;
}

function undecided(
  trend: Trend,
  line: TrendLine,
  { knee: { open }, last, cost }: { knee: Knee; last: TrendPoint; cost: CostOfRounds | undefined },
): string {
  const fewest = Math.min(...line.kneeLevels.filter(({ values }) => values.length > 0).map((one) => one.values.length));
  const levels = listed(open.map((x) => levelText(trend, x)));
  const why =
    fewest < minRepetitions
      ? `${minRepetitions} valid repetitions of each level are needed, and a level has ${fewest}${furtherText(minRepetitions, fewest, cost)}`
      : `the repetitions vary too much; the median at ${levelText(trend, last.x)} is ${growth(line, referenceOf(line), last.x)} that at ${levelText(trend, referenceOf(line))}`;
  return `whether it bears ${levels} cannot be told: ${why}`;
}

/** The lowest level with values, as for `kneeOf`: a level below it may be without any. */
function referenceOf({ kneeLevels }: TrendLine): number {
  return (kneeLevels.find(({ values }) => values.length > 0) as KneeLevel).x;
}

function whyNoKnee({ points }: TrendLine): string {
  const invalid = points.find(({ median, invalidReason }) => median.values.length === 0 && invalidReason);
  return invalid?.invalidReason ?? 'the lowest level is not borne';
}

/** Levels without a figure that are no fault of the system. */
function unmeasured(trend: Trend, { points, kneeLevels }: TrendLine): string {
  const missing = points.filter(({ x }) => kneeLevels.find((one) => one.x === x)?.values.length === 0);
  const [first] = missing;
  if (!first) return '';
  const levels = listed(missing.map(({ x }) => levelText(trend, x)));
  return `; ${levels} could not be measured${first.invalidReason ? ` (${first.invalidReason})` : ''}`;
}

/** `12 × [9.1 … 15 ×]`: ratio of the medians of two levels, with its interval where it has one. */
function growth({ kneeLevels }: TrendLine, from: number, to: number): string {
  const values = (x: number): readonly number[] => kneeLevels.find((level) => level.x === x)?.values ?? [];
  const {
    estimate,
    interval: [low, high],
  } = ratio(values(from), values(to), 0.05);
  if (!Number.isFinite(estimate)) return 'beyond every multiple of';
  const known = low > 0 && Number.isFinite(high);
  return known ? `${formatRatio(estimate)} [${formatRatio(low)} … ${formatRatio(high)}]` : formatRatio(estimate);
}

function costFindings({ factor, unit, isLoad }: Trend, { name, costs, points }: TrendLine): Finding[] {
  if (isLoad || costs.length === 0) return [];
  const [{ step }] = costs as [Cost];
  const more = describeIncrease(factor.name, step, unit);
  const where = name === '' ? '' : `under ${name}, `;
  const shown = costs.filter(({ interval: [low, high] }) => low > 0 || high < 0);
  const open = costs.filter((one) => !shown.includes(one));
  const verb = isOne(step, unit) ? 'costs' : 'cost';
  const parts = shown.map(({ us, interval, what }) => `${signed(us)} ${what} ${intervalText(interval)}`);
  const rest = open.map(({ interval, what }) => `no change ${what} is shown ${intervalText(interval)}`);
  const range = `(over ${levelRange(points)})`;
  if (parts.length === 0) return [{ text: `${where}${rest.join(' and ')} for ${more} ${range}.`, isShown: false }];
  const others = rest.length > 0 ? `; ${rest.join(' and ')}` : '';
  return [{ text: `${where}${more} ${verb} ${parts.join(' and ')}${others} ${range}.`, isShown: true }];
}

function isOne(step: number, unit: Trend['unit']): boolean {
  return unit !== 'count' || step === 1;
}

function levelRange(points: readonly TrendPoint[]): string {
  return `${points[0]?.level} … ${points.at(-1)?.level}`;
}

function listed(texts: readonly string[]): string {
  return texts.length < 3 ? texts.join(' and ') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

function intervalText([low, high]: readonly [number, number]): string {
  if (low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY)
    return '[interval unknown, more repetitions are needed]';
  return `[${signed(low)} … ${signed(high)}]`;
}

function signed(us: number): string {
  return `${us < 0 ? '−' : '+'}${formatUs(Math.abs(us))}`;
}

function capitalised(sentence: string): string {
  return /^(the|with|under|whether|no)\b/.test(sentence)
    ? `${sentence[0]?.toUpperCase()}${sentence.slice(1)}`
    : sentence;
}
