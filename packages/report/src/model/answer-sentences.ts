/** The answer in words: who led, by how much with which certainty, and what cannot be told. */
import { formatUs } from '@topo-bench/core';
import type { Comparison } from '@topo-bench/stats';
import { formatRatio } from '../figure-text.ts';
import type { Answer, Ranking, Setting } from './answer.ts';
import { describeLevel, enforces, type Factor, type Level } from './factors.ts';

/** @param infinite how an unfinished request's time is written; @returns the headline first */
export function answerSentences({ compared, settings }: Answer, infinite: string): string[] {
  const rankings = settings.flatMap(({ ranking }) => ranking ?? []);
  if (rankings.length === 0) return ['There are no two cells with valid figures to compare.'];
  const [only] = settings;
  const sentences =
    settings.length === 1 && only ? ofOneSetting(compared, only, infinite) : ofManySettings(compared, settings, rankings);
  const saturated = settings.filter(({ contenders }) => contenders.some((contender) => contender.saturated)).length;
  if (saturated > 0) {
    const where = settings.length === 1 ? 'The host was' : `In ${saturated} of ${settings.length} settings the host was`;
    sentences.push(`${where} saturated: there the figures tell how much this machine could bear, not where enforcement belongs.`);
  }
  return sentences;
}

function ofOneSetting(compared: Factor, { ranking, contenders }: Setting, infinite: string): string[] {
  if (!ranking) return [];
  const { first } = ranking;
  const name = (level: Level): string => describeLevel(compared.name, level);
  const none = contenders.find(({ level }) => !enforces(compared, level));
  const beside = none
    ? `, ${formatRatio(first.medianUs / none.medianUs)} the ${formatUs(none.medianUs, infinite)} of ${name(none.level)}`
    : '';
  const others = contenders
    .filter((contender) => contender !== first && contender !== none)
    .sort((a, b) => a.medianUs - b.medianUs)
    .map(({ level, medianUs }) => `${name(level)} with ${formatUs(medianUs, infinite)}`);
  return [
    `${name(first.level)} had the lowest median round-trip time${among(compared)}: ${formatUs(first.medianUs, infinite)}${beside}.`,
    `Then ${others.join(', ')}.`,
    certainty(ranking, name),
  ];
}

function certainty({ first, next, comparison, lead }: Ranking, name: (level: Level) => string): string {
  const repetitions = Math.min(first.repetitionMediansUs.length, next.repetitionMediansUs.length);
  const [one, other] = [name(first.level), name(next.level)];
  const interval = `95% interval ${percentages(comparison)}`;
  if (lead === 'shown')
    return `The lead over ${other} is shown: it took ${percent(comparison.differencePercent)} longer (${interval}).`;
  if (lead === 'equal') return `Between ${one} and ${other} no difference is seen: 5% or more is ruled out (${interval}).`;
  if (repetitions < comparison.smallestN) {
    return `With ${repetitions} ${repetitions === 1 ? 'repetition' : 'repetitions'} the lead over ${other} cannot be shown, however large: that takes at least ${comparison.smallestN}.`;
  }
  if (comparison.verdict === 'slower') return `Nothing is claimed about the lead over ${other}, since the host was saturated.`;
  return `Whether ${one} or ${other} is faster cannot be told (${interval}); about ${comparison.neededN} repetitions could tell 5%.`;
}

function ofManySettings(compared: Factor, settings: readonly Setting[], rankings: readonly Ranking[]): string[] {
  const firsts = new Map<Level, number>();
  for (const { first } of rankings) firsts.set(first.level, (firsts.get(first.level) ?? 0) + 1);
  const [[best, most], ...rest] = [...firsts].sort((a, b) => b[1] - a[1]) as [[Level, number], ...[Level, number][]];
  const others = rest.map(([level, count]) => `, ${describeLevel(compared.name, level)} in ${count}`).join('');
  const count = (lead: Ranking['lead']): number => rankings.filter((ranking) => ranking.lead === lead).length;
  const unranked = settings.length - rankings.length;
  const needed = Math.max(...rankings.map(({ comparison }) => comparison.smallestN));
  const short = rankings.some(
    ({ first, next }) => Math.min(first.repetitionMediansUs.length, next.repetitionMediansUs.length) < needed,
  );
  const leads = [
    `its lead over the next is shown in ${count('shown')} of these ${rankings.length}`,
    ...(count('equal') > 0 ? [`a difference of 5% or more is ruled out in ${count('equal')}`] : []),
    ...(count('open') > 0
      ? [
          `nothing can be claimed in ${count('open')}, for spread, saturation or want of repetitions${short ? ` (at least ${needed})` : ''}`,
        ]
      : []),
  ];
  return [
    `${describeLevel(compared.name, best)} had the lowest median round-trip time${among(compared)} in ${most} of ${settings.length} settings${others}.`,
    `Of the fastest in each setting: ${leads.join('; ')}.`,
    ...(unranked > 0
      ? [`${unranked} of ${settings.length} settings cannot be ranked: cells are missing, or most requests never finished.`]
      : []),
  ];
}

function among({ name }: Factor): string {
  return name === 'architecture' ? ' of those that enforce rules' : '';
}

function percentages({ intervalPercent: [low, high] }: Comparison): string {
  return `${percent(low)} to ${percent(high)}`;
}

/** Whole percent from 10 on, one decimal below. */
function percent(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return 'any amount';
  const digits = Math.abs(value) < 10 ? 1 : 0;
  return `${value.toFixed(digits).replace('-', '−')}%`;
}
