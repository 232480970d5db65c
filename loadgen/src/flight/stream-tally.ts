/** Counts what one stream moves: rows, bytes, and when the first batch came. */
import { hostClock } from '@topo-bench/host';
import type { StreamRecord } from './transfer.ts';

export class StreamTally {
  rows = 0;
  bytes = 0;
  wireBytes: number | undefined;
  checked = 0;
  wrong = 0;
  private wrongExample: string | undefined;
  private firstBatchUs = Number.NaN;
  private readonly startUs = hostClock.nowUs();

  /** The first batch is there; later calls change nothing. */
  arrived(): void {
    if (Number.isNaN(this.firstBatchUs)) this.firstBatchUs = hostClock.nowUs() - this.startUs;
  }

  /** @param count of the rows or values that are wrong */
  isWrong(example: string, count = 1): void {
    this.wrong += count;
    this.wrongExample ??= example;
  }

  record(stream: number, error: StreamRecord['error']): StreamRecord {
    const { rows, bytes, wireBytes, firstBatchUs, checked, wrong, wrongExample } = this;
    return {
      stream,
      rows,
      bytes,
      firstBatchUs,
      checked,
      wrong,
      ...(wireBytes !== undefined && { wireBytes }),
      ...(wrongExample !== undefined && { wrongExample }),
      ...(error && { error }),
    };
  }
}
