/** How far a paced source is behind its schedule, by batch. A source that keeps up has many small batches. */
import { GrowingColumn } from './growing-column.ts';

export class SourceLag {
  private readonly positions = new GrowingColumn();
  private readonly us = new GrowingColumn();

  /** @param lagUs time since the intended time of the batch's first event */
  add(position: number, lagUs: number): void {
    this.positions.push(position);
    this.us.push(lagUs);
  }

  /** @param positions ascending @returns the lag in µs of the batch with each position; NaN before the first batch */
  at(positions: readonly number[]): number[] {
    const [starts, lags] = [this.positions.values(), this.us.values()];
    let batch = -1;
    return positions.map((position) => {
      while (batch + 1 < starts.length && (starts[batch + 1] as number) <= position) batch++;
      return lags[batch] ?? Number.NaN;
    });
  }
}
