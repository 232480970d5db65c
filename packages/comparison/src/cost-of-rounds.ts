/** What further repetitions of a run cost, from the times at which its rounds began. */
import type { RunFolder } from '@topo-bench/core';

export interface CostOfRounds {
  /** Seconds per round of all cells, over all runs; absent with fewer than two rounds. */
  roundSeconds?: number;
  /** The cells could take turns under load, and did not: pairs of one time spread less. */
  couldTakeTurns: boolean;
}

export function costOfRounds(runs: readonly RunFolder[]): CostOfRounds {
  const seconds = runs.map(secondsOfRound);
  const roundSeconds = seconds.reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0);
  return { ...(roundSeconds > 0 && { roundSeconds }), couldTakeTurns: runs.length === 1 && runs.every(couldTakeTurns) };
}

/** Median time between the starts of successive rounds: a pause before a resumed run has no influence. */
function secondsOfRound({ cells }: RunFolder): number | undefined {
  const starts = new Map<number, number>();
  for (const { repetition, startedAt } of cells) {
    if (startedAt === undefined) continue;
    starts.set(repetition, Math.min(starts.get(repetition) ?? Number.POSITIVE_INFINITY, Date.parse(startedAt)));
  }
  const inOrder = [...starts.values()].sort((a, b) => a - b);
  const gaps = inOrder.slice(1).map((start, at) => (start - (inOrder[at] as number)) / 1e3);
  return gaps.sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)];
}

/** Requests through a gateway can; stores and transfers cannot. */
function couldTakeTurns({ record, cells }: RunFolder): boolean {
  const { deploy } = (record.experiment ?? {}) as { deploy?: unknown };
  const measured = cells.filter(({ source }) => source === 'measured');
  return deploy !== 'interleaved' && measured.some(({ rtt }) => rtt.count > 0) && measured.every(({ turns }) => !turns);
}
