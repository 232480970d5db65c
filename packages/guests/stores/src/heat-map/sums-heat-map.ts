/** What all heat maps of stores without transactions have in common: sums of partitions, and of rows without one. */
import { FreeSums } from './free-sums.ts';
import type { Claim, HeatMapEntry, HeatMapRows, StreamCheckpoint } from './heat-map.ts';
import { OwnedSums, type SumsStore } from './owned-sums.ts';

export abstract class SumsHeatMap implements SumsStore {
  readonly #partitions = new Map<number, OwnedSums>();
  readonly #freeSums = new FreeSums((writer, entries) => this.write(writer, entries));

  abstract load(partition: number): Promise<string | undefined>;
  abstract replace(partition: number, before: string | undefined, after: string): Promise<boolean>;
  abstract write(writer: string, entries: readonly HeatMapEntry[]): Promise<void>;

  async add(rows: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    if (checkpoint) await this.#partition(checkpoint.partition).save(checkpoint, rows);
    else await this.#freeSums.add(rows);
  }

  saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void> {
    return this.#partition(checkpoint.partition).save(checkpoint);
  }

  checkpoint(partition: number): Promise<StreamCheckpoint | undefined> {
    return this.#partition(partition).checkpoint();
  }

  claim(partition: number): Promise<Claim> {
    return this.#partition(partition).claim();
  }

  #partition(partition: number): OwnedSums {
    const known = this.#partitions.get(partition) ?? new OwnedSums(this, partition);
    this.#partitions.set(partition, known);
    return known;
  }
}
