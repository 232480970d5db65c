/** `gate --self-test`: measures pairs of equal sides, or reads stored ones, and reports what a gate could tell here. */
import {
  minSelfTestRounds,
  parseThreshold,
  selfTest,
  smallestDifference,
  type Threshold,
  withoutInfinities,
} from '@topo-bench/comparison';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import { openRun } from '@topo-bench/results';
import { median } from '@topo-bench/stats';
import { studyMetrics } from '@topo-bench/studies';
import type { Sides } from '@topo-bench/trial';
import { printJson, printLine, progressLine, terminal } from '../../output.ts';
import type { GateFlags } from './options.ts';
import { selfTestText } from './self-test-text.ts';
import { suggestionFor } from './suggestion.ts';

/** Limits that are tried next to those that the user asks for. */
const triedPercents = [2, 5, 10, 20];
/** Same draws from the same pairs. */
const seed = 1;

export async function selfTestAction(flags: GateFlags): Promise<void> {
  const { sides, folder, asked } = flags.experiment === undefined ? await storedSides(flags) : await measured(flags);
  const roundSeconds = secondsOfRounds(sides.candidate);
  const maxSeconds = flags.maxTime / 1e6;
  const maxPairs = Math.max(1, Math.floor(maxSeconds / roundSeconds));
  progressLine('drawing gates from the pairs …');
  const result = selfTest(sides.baseline, sides.candidate, {
    thresholds: thresholdsToTry(asked),
    maxPairs,
    seed,
    metrics: studyMetrics,
  });
  const suggested = suggestionFor(result.rows, roundSeconds);
  const report = { ...result, runDir: folder, roundSeconds, maxSeconds, ...(suggested && { suggested }) };
  if (flags.json) printJson(withoutInfinities(report));
  else printLine(selfTestText(report, terminal()));
}

interface EqualSides {
  sides: Sides<RunFolder>;
  folder: string;
  /** Relative ones. */
  asked: readonly Threshold[];
}

/** Both sides are the experiment as it stands; measured for the whole time. */
async function measured(flags: GateFlags): Promise<EqualSides> {
  const [{ measureSides }, { sidesToMeasure }] = await Promise.all([
    import('../../verdict/measure-sides.ts'),
    import('./sides-to-measure.ts'),
  ]);
  const asked = flags.threshold ?? ['rtt.median < +5%'];
  const pairing = await sidesToMeasure(flags.experiment as string, { ...flags, threshold: asked });
  const { measured } = await measureSides(pairing, flags, { wholeTime: true });
  return { sides: measured, folder: measured.folder, asked: relativeOnly(pairing.thresholds) };
}

async function storedSides({ candidate, baseline, threshold }: GateFlags): Promise<EqualSides> {
  const sides = { baseline: await openRun(baseline as string), candidate: await openRun(candidate as string) };
  const [one, other] = [sides.baseline.record.sideBySide, sides.candidate.record.sideBySide];
  if (one === undefined || other === undefined || one.id !== other.id || one.ref !== other.ref) {
    throw new TopoBenchError('TB_USAGE', `${baseline} and ${candidate} are no pairs of equal sides`, {
      hint: 'give the folders `baseline` and `candidate` of an earlier `gate --self-test --experiment FILE`',
    });
  }
  const texts = threshold ?? ['rtt.median < +5%'];
  const asked = texts.map((text) => parseThreshold(text, sides.candidate.cells, studyMetrics));
  return { sides, folder: sides.candidate.folder, asked: relativeOnly(asked) };
}

function relativeOnly(thresholds: readonly Threshold[]): Threshold[] {
  const relative = thresholds.filter(({ kind }) => kind === 'relative');
  if (relative.length > 0) return relative;
  throw new TopoBenchError('TB_USAGE', 'a self-test needs a relative threshold: got none', {
    hint: "add one, e.g. --threshold 'rtt.p95 < +10%'; the others compare with a fixed figure",
  });
}

/** Limits of each metric: those asked for and the usual ones, the smallest first. */
function thresholdsToTry(asked: readonly Threshold[]): Threshold[] {
  const ofMetric = new Map(asked.map((threshold) => [threshold.metric.name, threshold]));
  return [...ofMetric.values()].flatMap((example) => {
    const same = asked.filter(({ metric }) => metric.name === example.metric.name);
    const percents = new Set([...triedPercents, ...same.map((one) => 100 * smallestDifference([one]))].map(rounded));
    return [...percents].sort((a, b) => a - b).map((percent) => withLimit(example, percent));
  });
}

function rounded(percent: number): number {
  return Number(percent.toPrecision(6));
}

function withLimit({ metric, operator, limit, ...rest }: Threshold, percent: number): Threshold {
  const sign = limit < 1 ? -1 : 1;
  const text = `${metric.name} ${operator} ${sign < 0 ? '-' : '+'}${percent}%`;
  return { ...rest, text, metric, operator, limit: 1 + (sign * percent) / 100 };
}

/** Median time from the start of one round to that of the next. */
function secondsOfRounds({ cells, folder }: RunFolder): number {
  const starts = new Map<number, number>();
  for (const { repetition, startedAt } of cells) {
    if (startedAt === undefined) continue;
    starts.set(repetition, Math.min(starts.get(repetition) ?? Number.POSITIVE_INFINITY, Date.parse(startedAt)));
  }
  const sorted = [...starts.values()].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((start, at) => (start - (sorted[at] as number)) / 1e3);
  if (gaps.length > 0) return median(gaps);
  throw new TopoBenchError(
    'TB_GATE_SELF_TEST',
    `${folder}: ${starts.size} pairs, expected ${minSelfTestRounds} or more`,
    { hint: 'measure for longer, e.g. --max-time 30m' },
  );
}
