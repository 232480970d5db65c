import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConversionTime } from '../../src/conversion/conversion-time.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const takes = (ms: number): void => void vi.advanceTimersByTime(ms);

it('the time of a conversion has neither the wait for rows nor the reader of batches', async () => {
  const rows = async function* (): AsyncGenerator<number> {
    for (const row of [1, 2, 3]) {
      takes(100);
      yield row;
    }
    takes(100);
  };
  const time = new ConversionTime();
  const batches = async function* (): AsyncGenerator<number[]> {
    let batch: number[] = [];
    for await (const row of time.ofRows(rows())) {
      takes(7);
      batch.push(row);
      if (batch.length < 2) continue;
      takes(3);
      yield batch;
      takes(1);
      batch = [];
    }
    takes(5);
    yield batch;
  };
  const read: number[][] = [];
  for await (const batch of time.ofBatches(batches())) {
    takes(50);
    read.push(batch);
  }
  expect(read).toEqual([[1, 2], [3]]);
  // Three rows, one full batch, the clearing after it, and the last batch.
  expect(time.us).toBe((3 * 7 + 3 + 1 + 5) * 1e3);
});
