/** The state of the operators of one partition, and its text in a checkpoint. */
import { KeyedSums } from './keyed-sums.ts';

export interface PartitionState {
  /** Latest event time of the whole stream at the partition's position, in ms; −∞ at the start. */
  latestMs: number;
  /** Late events of this partition so far. */
  late: number;
  /** Open windows, by their start in ms. */
  windows: Map<number, KeyedSums>;
}

export function emptyState(): PartitionState {
  return { latestMs: Number.NEGATIVE_INFINITY, late: 0, windows: new Map() };
}

/** Columns of a row. */
const columns = 3;

/** Base64 of 64-bit numbers: latest time, late events, then start, number of rows and the rows of each window. */
export function encodeState({ latestMs, late, windows }: PartitionState): string {
  let rows = 0;
  for (const sums of windows.values()) rows += sums.count;
  const numbers = new Float64Array(2 + windows.size * 2 + rows * columns);
  numbers.set([latestMs, late]);
  let at = 2;
  for (const [startMs, { count, keys, sums, timesMs }] of windows) {
    numbers.set([startMs, count], at);
    at += 2;
    for (const column of [keys, sums, timesMs]) {
      numbers.set(column.subarray(0, count), at);
      at += count;
    }
  }
  return Buffer.from(numbers.buffer).toString('base64');
}

/** @param createdUs creation of the restored events on the clock of the resumed job: the time before it is unknown */
export function decodeState(text: string, createdUs: number): PartitionState {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  const numbers = new Float64Array(bytes.buffer);
  const [latestMs = 0, late = 0] = numbers;
  const windows = new Map<number, KeyedSums>();
  for (let at = 2; at < numbers.length; ) {
    const [startMs = 0, count = 0] = numbers.subarray(at, at + 2);
    at += 2;
    const sums = new KeyedSums();
    for (let row = at; row < at + count; row++) {
      sums.add(numbers[row] as number, numbers[row + count] as number, numbers[row + 2 * count] as number, createdUs);
    }
    windows.set(startMs, sums);
    at += count * columns;
  }
  return { latestMs, late, windows };
}
