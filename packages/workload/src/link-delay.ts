/** Delay of a crossing between two nodes, the same in every process, runner and simulator. */
import { draws } from './streams.ts';

export interface Link {
  delayUs: number;
  jitterUs: number;
}

/** One crossing of a link. */
export interface Crossing {
  requestId: string;
  /** Distinguishes the hops of a request. */
  hop: number;
  fromNode: number;
  toNode: number;
}

/** Delay in µs, at least 0. With jitter it is uniform in [delay − jitter, delay + jitter) for each crossing. */
export function linkDelayUs({ delayUs, jitterUs }: Link, seed: number, crossing: Crossing): number {
  if (jitterUs === 0) return delayUs;
  const { requestId, hop, fromNode, toNode } = crossing;
  return Math.max(0, delayUs + (2 * draws.link(seed, requestId, hop, fromNode, toNode) - 1) * jitterUs);
}
