/** Times at which a role crashes again and again: it runs for a drawn time, is down, is started again, and so on. */
import type { CrashLaw } from '@topo-bench/core/schema/experiment';
import { streams } from './streams.ts';

export interface Crashes {
  law: CrashLaw;
  /** From the start of the load, or of the role, to the next crash. */
  meanUs: number;
  downUs: number;
}

/**
 * A function of the law, the seed, the repetition and the name of the role alone.
 * @returns in µs since the begin of the load, ascending; without crashes that would not end before the load does
 */
export function crashTimesUs(
  { law, meanUs, downUs }: Crashes,
  role: string,
  { seed, repetition, durationUs }: { seed: number; repetition: number; durationUs: number },
): number[] {
  const random = streams.crashes(seed, repetition, role);
  // An empty mean would draw crashes without end.
  if (meanUs + downUs <= 0) return [];
  const times: number[] = [];
  for (let atUs = 0; ; ) {
    atUs += law === 'constant' ? meanUs : -meanUs * Math.log(1 - random.uniform());
    if (atUs + downUs >= durationUs) return times;
    times.push(atUs);
    atUs += downUs;
  }
}
