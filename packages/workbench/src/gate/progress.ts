/**
 * The progress of a side-by-side gate: whether its pairs are enough, why it stopped, what it saw, and what would be
 * needed. Only validity and spread of the pairs have an influence, never the difference that they show.
 */
import { isFailing, type PairsNeeded, pairsNeeded, type Threshold } from '@topo-bench/comparison';
import { counted, formatSeconds, type RunFolder } from '@topo-bench/core';
import type { SpentTime } from '@topo-bench/experiment/side-by-side';
import type { Sides } from '@topo-bench/trial';

/** Number of pairs in a row without any valid cell, for another reason than lateness, after which the gate gives up. */
const maxBrokenPairs = 3;
/** A gate of more time is no step of a CI job. */
const maxPracticalMinutes = 60;

export interface Progress extends PairsNeeded, SpentTime {
  /** Pairs so far, valid or not. */
  measured: number;
  /** The last pairs are invalid, and others would be so too. */
  broken: boolean;
  /** Some repetition fails its requests, which no quieter machine would change. */
  failing: boolean;
  /** Why repetitions are invalid, the most frequent first. */
  reasons: readonly string[];
  /** Pairs that lost late slices; requests that they lost and had. */
  late: { pairs: number; requests: number; ofRequests: number };
}

/** Machine-readable part of the gate's document. */
export interface Stop {
  reason: 'enough pairs' | 'invalid pairs' | 'max-time';
  pairs: number;
  validPairs: number;
  pairsNeeded: number;
  seconds: number;
}

export function progressOf(runs: Sides<RunFolder>, thresholds: readonly Threshold[], time: SpentTime): Progress {
  const { baseline, candidate } = runs;
  const measured = candidate.record.repetitions;
  const planned = candidate.record.plannedCells.length;
  const last = [baseline, candidate].map(({ cells }) => cells.slice(-maxBrokenPairs * planned));
  const isBroken = (cells: RunFolder['cells']): boolean =>
    cells.every(({ validity }) => !validity.valid && !validity.onlyLate);
  return {
    ...pairsNeeded(baseline, candidate, thresholds),
    ...time,
    measured,
    broken: measured >= maxBrokenPairs && last.some(isBroken),
    failing: [...baseline.cells, ...candidate.cells].some(isFailing),
    reasons: byFrequency([...baseline.cells, ...candidate.cells].flatMap(({ validity }) => validity.reasons)),
    late: lateOf(candidate.cells),
  };
}

/** Both sides lose the same slices, so one of them is enough. */
function lateOf(cells: RunFolder['cells']): Progress['late'] {
  const late = cells.flatMap(({ turns, repetition }) => (turns?.leftOut ? [{ ...turns.leftOut, repetition }] : []));
  const requests = late.reduce((sum, each) => sum + each.requests, 0);
  const kept = cells.reduce((sum, { outcomes }) => sum + Object.values(outcomes).reduce((a, b) => a + b, 0), 0);
  return { pairs: new Set(late.map(({ repetition }) => repetition)).size, requests, ofRequests: requests + kept };
}

/** Reasons that differ in their figures alone count as one; the first stands for them. */
function byFrequency(reasons: readonly string[]): string[] {
  const groups = new Map<string, { first: string; count: number }>();
  for (const reason of reasons) {
    const kind = reason.replaceAll(/[\d.,]+/g, '#');
    const { first, count } = groups.get(kind) ?? { first: reason, count: 0 };
    groups.set(kind, { first, count: count + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count).map(({ first }) => first);
}

export function isEnough({ pairs, have, broken }: Progress): boolean {
  return broken || have >= pairs;
}

export function stopOf(progress: Progress): Stop {
  const { pairs, have, broken, measured, seconds } = progress;
  const reason = broken ? 'invalid pairs' : have >= pairs ? 'enough pairs' : 'max-time';
  return { reason, pairs: measured, validPairs: have, pairsNeeded: pairs, seconds };
}

/** Sentences without a full stop. */
export function stopNotes(progress: Progress, maxSeconds: number): string[] {
  const { late } = progress;
  const share = (100 * late.requests) / Math.max(1, late.ofRequests);
  return [
    stopText(progress, maxSeconds),
    ...(late.pairs > 0
      ? [
          `in ${manyPairs(late.pairs)}, slices with late requests are left out on both sides: ${Number(share.toPrecision(2))}% of the requests`,
        ]
      : []),
  ];
}

function stopText(progress: Progress, maxSeconds: number): string {
  const { reason, seconds } = stopOf(progress);
  const { have, pairs, measured, reasons, failing } = progress;
  const invalid = measured - have;
  const seen = `${have} of ${manyPairs(measured)} ${measured === 1 ? 'is' : 'are'} valid${invalid > 0 && reasons[0] ? `, others are not: ${reasons[0]}` : ''}`;
  const spent = clock(seconds);
  if (reason === 'enough pairs') return `stopped after ${spent}: ${manyPairs(have)} were enough for their spread`;
  if (reason === 'invalid pairs') {
    return `stopped after ${spent}: ${maxBrokenPairs} pairs in a row were invalid, and more time would not help; ${seen}`;
  }
  const limit =
    measured === 1 && seconds > maxSeconds
      ? `stopped after one pair, which took ${spent} of the ${clock(maxSeconds)} allowed`
      : `stopped after ${spent} of ${clock(maxSeconds)}: another pair would have ended later`;
  if (have === 0 && failing) return `${limit}; ${seen}`;
  if (have === 0) return `${limit}; ${seen}; a free core for the load generator is needed, or a lower rate`;
  const minutes = minutesFor(progress);
  const needed = `for this spread about ${pairs} are needed`;
  if (minutes <= maxPracticalMinutes) return `${limit}; ${seen}; ${needed}: --max-time ${minutes}m`;
  return `${limit}; ${seen}; ${needed}, which takes ${formatSeconds(minutes * 60)}: a larger threshold or a quieter machine needs fewer`;
}

/** Time for the pairs that are needed, in whole minutes, if as many of them are valid as so far. */
function minutesFor({ pairs, have, measured, seconds, roundSeconds }: Progress): number {
  const needed = Math.ceil((pairs * measured) / have);
  return Math.ceil(((needed * seconds) / measured + roundSeconds) / 60);
}

/** e.g. `4:05`; whole seconds, so that a time below a limit is never shown as the limit. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function manyPairs(count: number): string {
  return counted(count, 'pair');
}
