/**
 * Stalls of the host: a thread only sleeps and records how late it wakes. No driver can be more precise than its host.
 * This probe measures that precision in the same run.
 */
import { Worker } from 'node:worker_threads';

/** Sleep between two readings of the clock. */
const intervalMs = 1;
/** 17 minutes of wake-ups. */
const capacity = 1_000_000;

// Source text: a thread needs a script of its own, and this one must work from sources and from a bundle.
const source = `
const { parentPort, workerData: { gaps, state } } = require('node:worker_threads');
parentPort.postMessage('running');
let last = performance.now();
while (Atomics.load(state, 0) === 0 && state[1] < gaps.length) {
  Atomics.wait(state, 0, 0, ${intervalMs});
  const now = performance.now();
  gaps[state[1]++] = (now - last) * 1e3;
  last = now;
}`;

export interface HiccupProbe {
  /** Discards earlier readings: the measured window begins now. */
  restart(): void;
  /**
   * Ends the probe.
   * @returns the waits for the CPU of an event at a random moment, in µs, one value per interval of the run. A stall of
   *   n intervals gives n values, falling from its length to 0
   */
  stop(): Float64Array;
}

/** Resolves when the probe is running. */
export async function startHiccupProbe(): Promise<HiccupProbe> {
  const gaps = new Float64Array(new SharedArrayBuffer(capacity * Float64Array.BYTES_PER_ELEMENT));
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const thread = new Worker(source, { eval: true, execArgv: [], workerData: { gaps, state } });
  await new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
  thread.unref();
  let first = 0;
  return {
    restart() {
      first = Atomics.load(state, 1);
    },
    stop() {
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
      return waits(gaps.subarray(first, Atomics.load(state, 1)));
    },
  };
}

function waits(gapsUs: Float64Array): Float64Array {
  const intervalUs = intervalMs * 1e3;
  const values: number[] = [];
  for (const gapUs of gapsUs) {
    for (let waitUs = Math.max(0, gapUs - intervalUs); waitUs >= 0; waitUs -= intervalUs) values.push(waitUs);
  }
  return Float64Array.from(values);
}
