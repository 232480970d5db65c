/** Counts rows and bytes of one stream, and takes the time of its first batch. */
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

  /** Records the time of the first batch; later calls change nothing. */
  arrived(): void {
    if (Number.isNaN(this.firstBatchUs)) this.firstBatchUs = hostClock.nowUs() - this.startUs;
  }

  /** @param count of the wrong rows or values */
  recordWrong(example: string, count = 1): void {
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
