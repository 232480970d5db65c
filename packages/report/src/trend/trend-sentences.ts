/** The trends of a report in sentences: the knee of each line with its limit, and what a step of the factor costs. */
import {
  bottleneckText,
  type CostOfRounds,
  costOfRounds,
  furtherText,
  type Knee,
  type KneeLevel,
} from '@topo-bench/comparison';
import { ratio } from '@topo-bench/stats';
import { formatRatio } from '../figure-text.ts';
import { describeLevels, type Level, settingStart } from '../model/factors.ts';
import type { ReportModel } from '../model/report-model.ts';
import { sentencesBySubject } from '../model/sentences-by-subject.ts';
import { costFindings } from './cost-findings.ts';
import type { Finding } from './finding.ts';
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

/** One or two sentences per line, and one for three or more of one pattern; none without a varying ordered factor. */
export function trendSentences(
  report: Pick<ReportModel, 'groups'> & Partial<Pick<ReportModel, 'runs'>>,
  figure: TrendFigure = roundTripTime,
): TrendSentences {
  const all = sharedLevels(report.groups);
  const shared = all.filter(({ name }) => name !== 'source' && !isLoadOf(figure, name));
  const isSimulated = all.some(({ name, levels: [level] }) => name === 'source' && level === 'simulated');
  const levels = Object.fromEntries(shared.map(({ name, levels: [level] }) => [name, level as Level]));
  const setting = settingStart(describeLevels(shared, levels), isSimulated);
  const cost = report.runs && costOfRounds(report.runs);
  const found = trendsOf(report, figure).flatMap((trend) =>
    trend.panels.flatMap(({ lines }) => lines.flatMap((line) => findingsOf(trend, line, cost))),
  );
  if (found.length > maxSentences) return { shown: [], open: [] };
  const sentence = (text: string): string => capitalised(`${setting}${text}`);
  const sentences = (findings: readonly Finding[]): string[] =>
    sentencesBySubject(
      findings,
      ({ headline }) => headline,
      ({ text }) => sentence(text),
      (headline, own) => upper(sentence(`${headline}: ${own.map(({ clause }) => clause).join('; ')}.`)),
    );
  return {
    shown: sentences(found.filter(({ isShown }) => isShown)),
    open: sentences(found.filter(({ isShown }) => !isShown)),
  };
}

function findingsOf(trend: Trend, line: TrendLine, cost: CostOfRounds | undefined): Finding[] {
  const { knee } = line;
  const ofLoad = {
    ...loadFinding(trend, line, cost),
    isShown: knee ? knee.before !== undefined || knee.open.length === 0 : lowestAtLimit(line) !== undefined,
  };
  if (trend.isLoad) return [ofLoad];
  return [...(knee?.before === undefined ? [] : [ofLoad]), ...costFindings(trend, line)];
}

type LoadFinding = Omit<Finding, 'isShown'>;

/** What the line bears, and what stops it at the next level. */
function loadFinding(trend: Trend, line: TrendLine, cost: CostOfRounds | undefined): LoadFinding {
  const { knee } = line;
  const name = line.name === '' ? 'the system' : line.name;
  const text = (x: number): string => levelText(trend, x);
  const full = lowestAtLimit(line);
  if (full) {
    return {
      text: `${name} is at its limit at ${text(full.x)} already, the lowest level of the run: ${bottleneckText(full.limit)}. Lower levels would show what it bears.`,
      headline: 'at the limit at the lowest level of the run already',
      clause: `${name} at ${text(full.x)} (${bottleneckText(full.limit)})`,
    };
  }
  if (!knee) {
    const why = whyNoKnee(line);
    return {
      text: `the knee of ${name} cannot be found: ${why}.`,
      headline: 'no knee can be found',
      clause: `${name} (${why})`,
    };
  }
  const { after, before, open } = knee;
  const rest = unmeasured(trend, line);
  if (before === undefined && open.length === 0) {
    const median = `${growth(line, referenceOf(line), after)} that at ${text(referenceOf(line))}`;
    return {
      text: `${name} bears ${text(after)}, the highest level of the run: the median there is ${median}${rest}.`,
      headline: `the highest level of the run, ${text(after)}, is borne by`,
      clause: `${name} (the median is ${median}${rest})`,
    };
  }
  if (before === undefined) return undecided(trend, line, { knee, name, cost });
  const at = line.points.find(({ x }) => x === before) as TrendPoint;
  const between = open.length === 0 ? '' : ` (what it does at ${listed(open.map(text))} is not shown)`;
  const median = `${growth(line, after, before)} that at ${text(after)}`;
  return {
    text: `${name} bears ${text(after)}${between}; at ${text(before)} ${bottleneckText(at.limit)}, and the median is ${median}${rest}.`,
    headline: 'borne at the last level before the knee',
    clause: `${name} ${text(after)}${between}, and at ${text(before)} ${bottleneckText(at.limit)}, with a median ${median}${rest}`,
  };
}

/** The lowest level with values, where it was at the limit of the system and so is no reference. */
function lowestAtLimit({ points, kneeLevels }: TrendLine): TrendPoint | undefined {
  const lowest = kneeLevels.find(({ values }) => values.length > 0);
  return lowest?.atLimit ? points.find(({ x }) => x === lowest.x) : undefined;
}

function undecided(
  trend: Trend,
  line: TrendLine,
  { knee: { after, open }, name, cost }: { knee: Knee; name: string; cost: CostOfRounds | undefined },
): LoadFinding {
  const fewest = Math.min(...line.kneeLevels.filter(({ values }) => values.length > 0).map((one) => one.values.length));
  const levels = listed(open.map((x) => levelText(trend, x)));
  const borne = `${name} bears ${levelText(trend, after)}`;
  const start = `${borne}; whether it bears ${levels} cannot be told`;
  if (fewest < minRepetitions) {
    const needed = `${minRepetitions} valid repetitions of each level are needed`;
    const further = furtherText(minRepetitions, fewest, cost);
    return {
      text: `${start}: ${needed}, and a level has ${fewest}${further}.`,
      headline: `${needed} to tell what is borne${further}`,
      clause: `${borne}, and ${fewest} are too few for ${levels}`,
    };
  }
  const last = line.points.filter(({ median }) => median.values.length > 0).at(-1) as TrendPoint;
  const reference = referenceOf(line);
  const median = `the median at ${levelText(trend, last.x)} is ${growth(line, reference, last.x)} that at ${levelText(trend, reference)}`;
  return {
    text: `${start}: the repetitions vary too much; ${median}.`,
    headline: 'the repetitions vary too much to tell what is borne',
    clause: `${borne}, ${levels} is open, and ${median}`,
  };
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

function listed(texts: readonly string[]): string {
  return texts.length < 3 ? texts.join(' and ') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

function capitalised(sentence: string): string {
  return /^(the|with|in|under|whether|no)\b/.test(sentence) ? upper(sentence) : sentence;
}

function upper(sentence: string): string {
  return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}`;
}
