/**
 * Times of one decision, taken in rounds that alternate between contenders, so that drift of the machine hits all alike. Each
 * turn starts with the garbage of the last one collected and its own code and data back in the caches.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LoadedContender } from './contenders/contender.ts';

const sliceUs = 20_000;
/** Share of a batch that is run untimed before it. */
const leadIn = 0.2;
const warmupUs = 150_000;
/** With 15 rounds, the 4th and the 12th smallest enclose the median with 96.5% confidence (binomial, any distribution). */
export const rounds = 15;
const intervalRanks = [3, 11] as const;

/** Time of one decision in µs: median of the rounds, and the interval of that median. */
export interface DecisionTime {
  medianUs: number;
  interval: [number, number];
  /** Decisions timed, over all rounds. */
  decisions: number;
}

/** @param requests how many requests the contenders know: they are decided in turn */
export async function measure(contenders: readonly LoadedContender[], requests: number): Promise<DecisionTime[]> {
  const batches: number[] = [];
  for (const contender of contenders) batches.push(await warmUp(contender, requests));
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [c, contender] of contenders.entries()) {
      times[c]?.push((await timeBatch(contender, requests, batches[c] as number)) / (batches[c] as number));
    }
  }
  return times.map((perRound, c) => {
    const sorted = perRound.sort((a, b) => a - b);
    const at = (rank: number): number => sorted[rank] as number;
    const interval: [number, number] = [at(intervalRanks[0]), at(intervalRanks[1])];
    return { medianUs: at((rounds - 1) / 2), interval, decisions: rounds * (batches[c] as number) };
  });
}

/** @returns how many decisions fill a slice */
async function warmUp(contender: LoadedContender, requests: number): Promise<number> {
  let batch = 1;
  let spentUs = 0;
  for (;;) {
    const us = await timeBatch(contender, requests, batch);
    spentUs += us;
    if (spentUs > warmupUs) return Math.max(1, Math.round((batch * sliceUs) / us));
    if (us < sliceUs) batch *= 2;
  }
}

async function timeBatch({ decide }: LoadedContender, requests: number, batch: number): Promise<number> {
  collectGarbage();
  await decideInTurn(Math.floor(leadIn * batch));
  const start = performance.now();
  await decideInTurn(batch);
  return (performance.now() - start) * 1e3;

  async function decideInTurn(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const answer = decide(i % requests);
      // Only those that need a promise pay for one.
      if (answer instanceof Promise) await answer;
    }
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
