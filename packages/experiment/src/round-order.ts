/**
 * The order of the cells in a round, shuffled by seed: drift of the machine must not affect one architecture only. A
 * round is one repetition of every cell, so consecutive rounds interleave repetitions.
 */
import { shuffled } from '@topo-bench/core';
import { streams } from '@topo-bench/workload';

/** Cells that share a deployment run one after another; `key` identifies a cell. */
export interface Group<T> {
  key: string;
  members: T[];
}

/**
 * Groups of a round in shuffled order, with their members in shuffled order.
 * @param deploymentOf name of the deployment that a cell needs; cells of one name share it
 */
export function roundOrder<T>(
  cells: readonly T[],
  deploymentOf: (cell: T) => string,
  seed: number,
  round: number,
): Group<T>[] {
  const random = streams.roundOrder(seed, round);
  const groups = new Map<string, T[]>();
  for (const cell of cells) {
    const key = deploymentOf(cell);
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  const ordered = [...groups].map(([key, members]) => ({ key, members: shuffled(members, random) }));
  return shuffled(ordered, random);
}
