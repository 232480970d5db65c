/**
 * Times of one decision, taken in rounds that alternate between contenders, so that drift of the machine hits all
 * alike. Slices are short, so that other processes interrupt few of them; each starts with the garbage of the others
 * collected and with its own code and data back in the caches.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LoadedContender } from './contenders/contender.ts';

const warmUpUs = 300_000;
const leadInUs = 10_000;
const sliceUs = 2000;
/**
 * With 31 rounds, the 10th and the 22nd smallest enclose the median with 97% confidence (binomial, any distribution).
 */
export const rounds = 31;
const intervalRanks = [9, 21] as const;

setFlagsFromString('--expose-gc');

/** What the bench measures with; tests bring their own. */
export interface Instruments {
  /** Clock in ms, read right before and right after the decisions of a slice. */
  nowMs(): number;
  collectGarbage(): void;
}

const ofThisProcess: Instruments = {
  nowMs: () => performance.now(),
  collectGarbage: runInNewContext('gc') as () => void,
};

/** Time of one decision in µs: median of the rounds, and the interval of that median. */
export interface DecisionTime {
  medianUs: number;
  interval: [number, number];
  /** Decisions timed, over all rounds. */
  decisions: number;
}

/**
 * @param requests how many requests the contenders know. In each round all contenders begin with the same request. A
 * slice of a slow contender is a single decision, and would otherwise always be of the first request.
 */
export async function measure(
  contenders: readonly LoadedContender[],
  requests: number,
  instruments: Instruments = ofThisProcess,
): Promise<DecisionTime[]> {
  const loops = contenders.map((contender) => new DecisionLoop(contender, requests, instruments));
  const batches: number[] = [];
  for (const loop of loops) batches.push(Math.max(1, Math.round(sliceUs / (await loop.runFor(warmUpUs)))));
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [c, loop] of loops.entries()) {
      const batch = batches[c] as number;
      instruments.collectGarbage();
      await loop.runFor(leadInUs);
      times[c]?.push((await loop.run(batch, round)) / batch);
    }
  }
  return times.map((perRound, c) => {
    const sorted = perRound.sort((a, b) => a - b);
    const at = (rank: number): number => sorted[rank] as number;
    const interval: [number, number] = [at(intervalRanks[0]), at(intervalRanks[1])];
    return { medianUs: at((rounds - 1) / 2), interval, decisions: rounds * (batches[c] as number) };
  });
}

class DecisionLoop {
  constructor(
    private readonly contender: LoadedContender,
    private readonly requests: number,
    private readonly instruments: Instruments,
  ) {}

  /** @returns µs that so many decisions took, from request `first` on */
  async run(count: number, first = 0): Promise<number> {
    const { contender, requests, instruments } = this;
    const start = instruments.nowMs();
    for (let i = first; i < first + count; i++) {
      const answer = contender.decide(i % requests);
      // Only those that answer with a promise pay for one.
      if (answer instanceof Promise) await answer;
    }
    return (instruments.nowMs() - start) * 1e3;
  }

  /** Decides for so long at least. @returns µs per decision of the fastest stretch */
  async runFor(us: number): Promise<number> {
    let fastestUs = Number.POSITIVE_INFINITY;
    let spentUs = 0;
    for (let count = 1; spentUs < us; count *= 2) {
      const tookUs = await this.run(count);
      spentUs += tookUs;
      fastestUs = Math.min(fastestUs, tookUs / count);
    }
    return fastestUs;
  }
}
