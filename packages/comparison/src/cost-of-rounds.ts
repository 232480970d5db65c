/** What further repetitions of a run cost, from the times at which its rounds began. */
import type { RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';

export interface CostOfRounds {
  /** Seconds per round of all cells, over all runs; absent with fewer than two rounds. */
  roundSeconds?: number;
  /** The cells could take turns under load, and did not: pairs of one time spread less. Not where a queue stays. */
  couldTakeTurns: boolean;
  /** Rounds so far, of the run with the fewest. */
  rounds?: number;
  /** Runs that `run --resume` extends; absent where one cannot be resumed: a side of a gate, or a simulated run. */
  folders?: readonly string[];
}

export function costOfRounds(runs: readonly RunFolder[]): CostOfRounds {
  // Sides that took turns share their rounds.
  const shared = new Map(runs.map((run, at) => [run.record.sideBySide?.id ?? at, run]));
  const seconds = [...shared.values()].map(secondsOfRound);
  const roundSeconds = seconds.reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0);
  return {
    ...(roundSeconds > 0 && { roundSeconds }),
    couldTakeTurns: runs.length === 1 && runs.every(couldTakeTurns),
    rounds: Math.min(...runs.map(({ cells }) => new Set(cells.map(({ repetition }) => repetition)).size)),
    ...(runs.every(canBeResumed) && { folders: runs.map(({ folder }) => folder) }),
  };
}

function canBeResumed({ record: { inputs, sideBySide, simulation } }: RunFolder): boolean {
  return inputs !== undefined && sideBySide === undefined && simulation === undefined;
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

/**
 * Requests through a gateway can; stores and transfers cannot. Those of a saturated host do not end in the gap after
 * their turn.
 */
function couldTakeTurns({ record, cells }: RunFolder): boolean {
  const { deploy } = (record.experiment ?? {}) as { deploy?: unknown };
  const measured = cells.filter(({ source }) => source === 'measured');
  const canTakeTurns = ({ turns, validity }: Cell): boolean => !turns && !validity.flags.includes('host-saturated');
  return deploy !== 'interleaved' && measured.some(({ rtt }) => rtt.count > 0) && measured.every(canTakeTurns);
}
