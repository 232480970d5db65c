/**
 * The effect of every factor that is a question of its own, over all architectures, rates and sizes: what a run with
 * such a factor is made for. Absent for the factor that the answer compares anyway.
 */
import { effectsOfFactors, formatChange, formatChangeInterval, isSeen, type LevelEffect } from '@topo-bench/comparison';
import { describeLevel, formatUs, isQuestion } from '@topo-bench/core';
import { comparedFactor, type Factor, isMarked, type ReportModel } from '@topo-bench/report/model';

/** A factor with more levels has its last in the sentence, which counts them. */
const maxLevels = 4;
const notAsked = ['run', 'source', 'seed', 'architecture'];

export function askedSentences({ factors, runs }: Pick<ReportModel, 'factors' | 'runs'>): string[] {
  const [run, ...others] = runs;
  if (!run || others.length > 0 || isMarked(runs)) return [];
  const compared = comparedFactor(factors)?.name;
  const asked = factors.filter(
    ({ name, levels }) => levels.length > 1 && name !== compared && !notAsked.includes(name) && isQuestion(name),
  );
  const effects = effectsOfFactors(
    run,
    asked.map(({ name, levels }) => ({ factor: name, reference: String(levels[0]) })),
    { metric: 'rtt.median' },
  );
  return asked.flatMap((factor) => {
    const own = effects.filter((effect) => effect.factor === factor.name);
    const told = own.length > maxLevels ? own.slice(-1) : own;
    const part = own.length > maxLevels ? [`the last of ${factor.levels.length} levels`] : [];
    return told.map((effect) => effectSentence(effect, settingsText(factors, factor, effect), part));
  });
}

/** `over 2 architectures`, where one other factor varies; else `over 6 settings`; empty for one setting. */
function settingsText(factors: readonly Factor[], asked: Factor, { settings, ofSettings }: LevelEffect): string {
  if (settings < ofSettings) return `over ${settings} of ${ofSettings} settings: others lack rounds or had a full host`;
  if (settings < 2) return '';
  const varying = factors.filter(({ name, levels }) => name !== asked.name && levels.length > 1);
  const [only] = varying;
  return varying.length === 1 && only?.name === 'architecture' && settings === only.levels.length
    ? `over ${settings} architectures`
    : `over ${settings} settings`;
}

function effectSentence(effect: LevelEffect, settings: string, part: readonly string[]): string {
  const { factor, level, reference, verdict, differencePercent, intervalPercent, agreeing, rounds } = effect;
  const [one, other] = [describeLevel(factor, level), describeLevel(factor, reference)];
  const what = 'the median round-trip time';
  // Where rounds agree that are too few for pairs, the interval is that of unpaired sides, as wide as their drift.
  const isSeenByRounds = agreeing && isSeen(effect) && intervalPercent[0] <= 0 && intervalPercent[1] >= 0;
  const interval = isSeenByRounds ? 'unknown' : formatChangeInterval(intervalPercent);
  const facts = [
    ...part,
    ...(settings === '' ? [`${formatUs(effect.baseline)} → ${formatUs(effect.candidate)}`] : [settings]),
    ...(interval === 'unknown' ? [] : [`95% interval ${interval}`]),
    ...(agreeing ? [`so in all ${rounds} rounds`] : []),
  ].join('; ');
  const change = isSeenByRounds ? agreeing.differencePercent : differencePercent;
  const longer = `${formatChange(change).slice(1)} ${change < 0 ? 'shorter' : 'longer'}`;
  if (verdict === 'faster' || verdict === 'slower')
    return `With ${one}, ${what} is ${longer} than with ${other} (${facts}).`;
  if (verdict === 'no difference seen')
    return `Between ${one} and ${other}, no difference that matters in ${what} is seen (${facts}).`;
  const reason = effect.reason ?? 'no reason is given';
  if (isSeen(effect))
    return `Seen, but not shown: with ${one}, ${what} is ${longer} than with ${other} (${facts}); ${reason}.`;
  return `Whether ${one} changes ${what} against ${other} cannot be told (${facts}): ${reason}.`;
}
