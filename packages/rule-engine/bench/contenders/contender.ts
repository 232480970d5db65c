/** What `bench:decide` measures: something that decides the requests of a workload. */
import type { Workload } from '../workloads.ts';

export interface Contender {
  readonly name: string;
  /** Translates and loads the rules. A text gives the reason why it cannot be measured here, and how it could. */
  load(workload: Workload): Promise<LoadedContender | string>;
}

export interface LoadedContender {
  /** Decides the i-th request; this is what is timed. */
  decide(i: number): unknown;
  /** Ids of the rules that matched, from what `decide` answered. */
  matched(answer: unknown): string[];
}
