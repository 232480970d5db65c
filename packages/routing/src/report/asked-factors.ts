/**
 * The effect of every factor that is a question of its own, over all architectures, rates and sizes: what a run with
 * such a factor is made for. Absent for the factor that the answer compares anyway, unless it concerns other times than
 * the answer has: those of one class of requests, or those of clients that the factor moves.
 */
import {
  commonMetrics,
  effectsOfFactors,
  formatChange,
  formatChangeInterval,
  isSeen,
  type LevelEffect,
} from '@topo-bench/comparison';
import { describeLevel, factorPath, formatUs, groupedBy, isQuestion, type RunFolder } from '@topo-bench/core';
import { comparedFactor, type Factor, isMarked, type ReportModel } from '@topo-bench/report/model';

/** A factor with more levels has its last in the sentence, which counts them. */
const maxLevels = 4;
const notAsked = ['run', 'source', 'seed', 'architecture'];

export function askedSentences({ factors, runs }: Pick<ReportModel, 'factors' | 'runs'>): string[] {
  const [run, ...others] = runs;
  if (!run || others.length > 0 || isMarked(runs)) return [];
  const compared = comparedFactor(factors)?.name;
  const asked = factors
    .filter(({ name, levels }) => levels.length > 1 && !notAsked.includes(name) && isQuestion(name))
    .map((factor): Asked => ({ factor, time: timeOf(factor.name, run) }))
    .filter(({ factor, time }) => factor.name !== compared || time !== roundTrip);
  const effects = effectsOf(run, asked);
  return asked.flatMap(({ factor, time }) => {
    const own = effects.filter((effect) => effect.factor === factor.name);
    const told = own.length > maxLevels ? own.slice(-1) : own;
    const part = own.length > maxLevels ? [`the last of ${factor.levels.length} levels`] : [];
    return told.map((effect) => effectSentence(effect, time.words, settingsText(factors, factor, effect), part));
  });
}

/** A time of requests: its metric, and its words in a sentence. */
interface Time {
  metric: string;
  words: string;
}

interface Asked {
  factor: Factor;
  time: Time;
}

const roundTrip: Time = { metric: 'rtt.median', words: 'the median round-trip time' };
/** A round trip begins at the gateway: that of another gateway has another way to its client. */
const ofClients: Time = {
  metric: 'responseTime.median',
  words: 'the median response time, with the way to the client,',
};

/** The time that a factor is about, where the run has it; late requests leave no response times. */
function timeOf(name: string, run: RunFolder): Time {
  const path = factorPath(name);
  const [, kind, field] = /^requests\.classes\.([A-Za-z][^.]*)\.(\w+)/.exec(path) ?? [];
  const movesClients = /^gateways?\b/.test(path) || field === 'origin';
  if (!movesClients && (kind === undefined || field === 'weight')) return roundTrip;
  const time = movesClients
    ? ofClients
    : { metric: `rttByClass.${kind}.median`, words: `the median round-trip time of requests of the class ${kind}` };
  const { read } = commonMetrics.named(time.metric);
  // An older version has recorded no time of classes.
  const cells = run.cells.filter(({ validity }) => validity.valid);
  const isRecorded = cells.every((cell) => read(cell) !== undefined);
  return isRecorded && cells.some((cell) => Number.isFinite(read(cell))) ? time : roundTrip;
}

/** P-values are corrected over all factors of one metric. */
function effectsOf(run: RunFolder, asked: readonly Asked[]): LevelEffect[] {
  const byMetric = groupedBy(asked, ({ time }) => time.metric);
  return [...byMetric].flatMap(([metric, own]) =>
    effectsOfFactors(
      run,
      own.map(({ factor: { name, levels } }) => ({ factor: name, reference: String(levels[0]) })),
      { metric },
    ),
  );
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

function effectSentence(effect: LevelEffect, what: string, settings: string, part: readonly string[]): string {
  const { factor, level, reference, verdict, differencePercent, intervalPercent, agreeing, rounds } = effect;
  const [one, other] = [describeLevel(factor, level), describeLevel(factor, reference)];
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
