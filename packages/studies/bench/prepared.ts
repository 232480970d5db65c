/** Work that is made before the clock starts, for either side of `bench:stores`. */
import type { StoreWorkload } from '@topo-bench/workload';

/** What a side of the bench did in one round. */
export interface Done {
  /** Successful answers. */
  done: number;
  seconds: number;
}

/**
 * Hands out prepared work in order. Reads start again from the first when they do not last; writes do not, since the
 * second creation of an item writes nothing.
 */
export class Prepared<Work> {
  private next = 0;
  private readonly repeats: boolean;

  constructor(
    private readonly made: readonly Work[],
    { reads }: Pick<StoreWorkload, 'reads'>,
  ) {
    this.repeats = reads === 1;
  }

  take(): Work {
    const at = this.next++;
    if (at >= this.made.length && !this.repeats)
      throw new Error(`${this.made.length} writes did not last for a round: shorten the rounds or prepare more`);
    return this.made[at % this.made.length] as Work;
  }
}
