/** The options of a decision with the arguments that the figures of a run give: time, CPU, exposure and cost. */
import { type CellComparison, formatChange, formatChangeInterval } from '@topo-bench/comparison';
import { describeLevel, formatUs } from '@topo-bench/core';
import {
  type DecisionArgument,
  type DecisionFigures,
  formatCount,
  formatPrice,
  infiniteText,
} from '@topo-bench/report';
import { enforces, type Level, rateSearchOf } from '@topo-bench/report/model';
import { type Answer, answerOf, type Contender, timesInAnswer } from './answer.ts';
import { verdictOnMany } from './answer-sentences.ts';
import { costByLevel, cpuEffects, exposedByLevel } from './decision-table.ts';
import type { RoutingModel } from './routing-model.ts';

/** Undefined without a varying factor, and for the lines of a search: they have one rate each, and no comparison. */
export function decisionFigures(report: RoutingModel): DecisionFigures | undefined {
  const answer = rateSearchOf(report) ? undefined : answerOf(report);
  if (!answer) return undefined;
  const { compared, reference, settings } = answer;
  return {
    factor: compared.name,
    settings: settings.length,
    reference,
    options: compared.levels.map((level) => ({
      level,
      name: describeLevel(compared.name, level),
      enforces: enforces(compared, level),
      shownLowestIn: settings.filter(({ lowest, isShown }) => isShown && lowest?.level === level).length,
      medianUs: meanMedian(answer, level),
      arguments: [
        ...timeArguments(report, answer, level),
        ...cpuArguments(report, answer, level),
        ...exposureArguments(report, answer, level),
        ...costArguments(report, answer, level),
      ],
    })),
  };
}

function contendersOf({ settings }: Answer, level: Level): Contender[] {
  return settings.flatMap(({ contenders }) => contenders.filter((one) => one.level === level));
}

function meanMedian(answer: Answer, level: Level): number {
  const medians = contendersOf(answer, level).map(({ medianUs }) => medianUs);
  if (medians.length < answer.settings.length) return Number.NaN;
  return Math.exp(medians.reduce((sum, median) => sum + Math.log(median), 0) / medians.length);
}

function timeArguments(report: RoutingModel, answer: Answer, level: Level): DecisionArgument[] {
  const contenders = contendersOf(answer, level);
  const [only] = contenders;
  if (!only) return [{ tone: 'neutral', text: 'it has no valid figures' }];
  const source = only.isSimulated ? 'simulated' : 'measured';
  const infinite = infiniteText(report.drainUs, timesInAnswer(answer));
  const own: DecisionArgument[] =
    answer.settings.length > 1
      ? []
      : [{ tone: 'neutral', text: `its median round-trip time is ${formatUs(only.medianUs, infinite)} (${source})` }];
  if (level !== answer.reference) return [...own, ...againstReference(answer, level, source)];
  // What is better than the reference speaks against it.
  const others = answer.compared.levels.filter((other) => other !== level && enforces(answer.compared, other));
  return [
    ...own,
    ...others.flatMap((other) =>
      againstReference(answer, other, source).map(({ tone, text }) => ({ tone: opposites[tone], text })),
    ),
  ];
}

const opposites = { good: 'bad', neutral: 'neutral', bad: 'good' } as const;

function againstReference(answer: Answer, level: Level, source: string): DecisionArgument[] {
  const cells = contendersOf(answer, level).flatMap((one) => one.againstReference ?? []);
  const [cell] = cells;
  if (!cell) return [];
  const [one, other] = [level, answer.reference].map((each) => describeLevel(answer.compared.name, each)) as [
    string,
    string,
  ];
  if (answer.settings.length === 1) return [{ tone: toneOf(cell.verdict), text: `${one} ${againstText(cell, other)}` }];
  const has = (verdict: CellComparison['verdict']): boolean => cells.some((each) => each.verdict === verdict);
  const tone = has('faster') === has('slower') ? 'neutral' : has('faster') ? 'good' : 'bad';
  return [{ tone, text: `${verdictOnMany(cells, one, other).replace(/\.$/, '')} (${source})` }];
}

function toneOf(verdict: CellComparison['verdict']): DecisionArgument['tone'] {
  if (verdict === 'faster' || verdict === 'better') return 'good';
  return verdict === 'slower' || verdict === 'worse' ? 'bad' : 'neutral';
}

/** The difference always has its interval and number of repetitions. */
function againstText(cell: CellComparison, other: string): string {
  const { verdict, reason, differencePercent, intervalPercent, repetitions } = cell;
  const facts = `95% interval ${formatChangeInterval(intervalPercent)}, ${repetitions.baseline.used} and ${repetitions.candidate.used} valid repetitions`;
  const why = verdict === 'cannot tell' && reason !== undefined ? `: ${reason}` : '';
  const shown = verdict === 'faster' || verdict === 'slower' ? `shown to be ${verdict}` : verdict;
  return `against ${other}: median round-trip time ${formatChange(differencePercent)}, ${shown} (${facts})${why}`;
}

function cpuArguments(report: RoutingModel, answer: Answer, level: Level): DecisionArgument[] {
  const effect = cpuEffects(report, answer).find((one) => one.level === level);
  if (!effect) return [];
  const { verdict, differencePercent, intervalPercent, candidate } = effect;
  const facts = `95% interval ${formatChangeInterval(intervalPercent)}`;
  const shown = toneOf(verdict) === 'neutral' ? verdict : 'shown';
  const other = describeLevel(answer.compared.name, answer.reference);
  const text = `a request takes ${formatUs(candidate)} of processor time, ${formatChange(differencePercent)} against ${other} (${shown}, ${facts})`;
  return [{ tone: toneOf(verdict), text }];
}

/** Exposure follows from rules and placement: every difference is one. */
function exposureArguments(report: RoutingModel, answer: Answer, level: Level): DecisionArgument[] {
  const all = exposedByLevel(report, answer);
  const own = all.find((one) => one.level === level);
  if (!own) return enforces(answer.compared, level) ? [] : [{ tone: 'bad', text: 'it enforces no rule' }];
  const bytes = all.map((one) => one.bytes);
  const [least, most] = [Math.min(...bytes), Math.max(...bytes)];
  const text = `${formatCount(own.bytes)} refused bytes per 1,000 requests reach the node of their target first`;
  if (least === most) return [{ tone: 'neutral', text: `${text}, as with every option` }];
  if (own.bytes === least) return [{ tone: 'good', text: `${text}, the fewest of all options` }];
  return [{ tone: own.bytes === most ? 'bad' : 'neutral', text }];
}

function costArguments(report: RoutingModel, answer: Answer, level: Level): DecisionArgument[] {
  const own = costByLevel(report, answer).find((one) => one.level === level);
  if (!own || !report.price) return [];
  return [{ tone: 'neutral', text: `its processor time costs ${formatPrice(report.price, own.cost)} per month` }];
}
