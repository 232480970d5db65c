/** What the answers of a user-supplied server were: their status codes, and a mode of 40 ms in their times. */
import type { Sample } from '@topo-bench/core';

/** Number of answers by HTTP status, ascending. */
export type StatusCounts = Record<string, number>;

export function statusCounts(samples: readonly Pick<Sample, 'status'>[]): StatusCounts {
  const counts = new Map<number, number>();
  for (const { status } of samples) if (status !== null) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => a - b));
}

/** Linux delays an acknowledgement by 40 ms; an answer that waits for it arrives a little later. */
const modeUs = [39_000, 49_000] as const;
const minShare = 0.05;
const minCount = 10;

/**
 * Share of the answers in a mode of 40 ms, 0…1; 0 if there is none. A mode has few answers on both sides of it: a
 * server that is slow in general has none.
 */
export function delayedShare(samples: readonly Pick<Sample, 'sentUs' | 'doneUs'>[]): number {
  const times = samples.flatMap(({ sentUs, doneUs }) => (sentUs === null || doneUs === null ? [] : [doneUs - sentUs]));
  const [low, high] = modeUs;
  const width = high - low;
  const within = (from: number): number => times.filter((us) => us >= from && us < from + width).length;
  const inside = within(low);
  const isMode = inside >= minCount && inside >= minShare * times.length;
  return isMode && within(low - width) < inside / 4 && within(high) < inside / 4 ? inside / times.length : 0;
}
