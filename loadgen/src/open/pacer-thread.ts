/**
 * The helper thread of the pacer: sleeps until the next intended send time, signals, and skips times that have passed.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Clock } from '@topo-bench/core';
import { hostClock, systemThreadId } from '@topo-bench/host';

/** Indexes into `flags`. */
export const stopped = 0;
/** 1 while a message is pending: a busy event loop gets one message, not a queue of them. */
export const signalled = 1;

export interface PacerThreadData {
  /** Float64 intended send times in µs from the start, ascending. */
  timesUs: SharedArrayBuffer;
  /** Int32 flags: see pacer.ts. */
  flags: ArrayBufferLike;
  /** How long before each time to signal. */
  leadUs: number;
}

/** Wakes this much later, because the event loop's clock may differ by rounding: it must find the request due. */
const marginUs = 2;

/**
 * Posts its thread id, waits for the start instant, then signals until all times have passed or the pacer is stopped.
 */
export function runPacerThread(): void {
  const data = workerData as PacerThreadData;
  const timesUs = new Float64Array(data.timesUs);
  const flags = new Int32Array(data.flags);
  const port = parentPort as NonNullable<typeof parentPort>;
  port.once('message', (startAtUs: number) =>
    signalAll(timesUs, startAtUs - data.leadUs, flags, () => port.postMessage(null), hostClock),
  );
  port.postMessage(systemThreadId());
}

/** Blocks its thread until the pacer is stopped. @param fromUs origin of the times on the clock */
export function signalAll(
  timesUs: Float64Array,
  fromUs: number,
  flags: Int32Array,
  signal: () => void,
  clock: Clock,
): void {
  let next = 0;
  while (next < timesUs.length && Atomics.load(flags, stopped) === 0) {
    const waitUs = fromUs + (timesUs[next] as number) + marginUs - clock.nowUs();
    if (waitUs > 0) {
      Atomics.wait(flags, stopped, 0, waitUs / 1e3);
      continue;
    }
    if (Atomics.exchange(flags, signalled, 1) === 0) signal();
    const nowUs = clock.nowUs() - fromUs - marginUs;
    while (next < timesUs.length && (timesUs[next] as number) <= nowUs) next++;
  }
  // The end of a thread takes some ms at this thread's priority, so it waits for the last responses.
  Atomics.wait(flags, stopped, 0);
}
