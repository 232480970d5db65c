/**
 * Wakes the event loop when a request is due. Node's timers have a granularity of 1 ms; a helper thread that blocks in
 * `Atomics.wait` until the next intended time and then posts a message is ten times nearer for the same CPU
 * (measured in docs/decisions/0003-pacing.md).
 */
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PacerThreadData } from './pacer-thread.ts';

export interface Pacer {
  /**
   * Calls `onDue` soon after each time has passed; times that pass together share a call.
   * @param startAtUs the instant on the shared clock from which the times count
   */
  start(startAtUs: number, onDue: () => void): void;
  stop(): void;
}

/**
 * @param timesUs intended send times, ascending
 * @param entry script of the helper thread: the generator's own entry file, which acts as pacer in a thread
 */
export async function createPacer(timesUs: Float64Array, entry: string): Promise<Pacer> {
  const shared = new SharedArrayBuffer(timesUs.byteLength);
  new Float64Array(shared).set(timesUs);
  const flags = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const data: PacerThreadData = { timesUs: shared, flags: flags.buffer };
  const thread = startThread(entry, data);
  await new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
  return {
    start(startAtUs, onDue) {
      thread.on('message', () => {
        Atomics.store(flags, signalled, 0);
        onDue();
      });
      thread.postMessage(startAtUs);
    },
    stop() {
      Atomics.store(flags, stopped, 1);
      Atomics.notify(flags, stopped);
      thread.unref();
    },
  };
}

/** In a working copy the entry is TypeScript, and a thread does not inherit the loader of its process. */
function startThread(entry: string, workerData: PacerThreadData): Worker {
  if (!entry.endsWith('.ts')) return new Worker(entry, { workerData });
  const [loader, script] = [import.meta.resolve('tsx/esm/api'), pathToFileURL(entry).href];
  const source = `import('${loader}').then(({ register }) => { register(); return import('${script}'); })`;
  return new Worker(source, { eval: true, workerData });
}

/** Places in `flags`. */
export const stopped = 0;
/** 1 while a message is under way: a busy event loop gets one, not a queue of them. */
export const signalled = 1;
