/**
 * Wakes the event loop when a request is due. Node's timers have a granularity of 1 ms. A helper thread that blocks in
 * `Atomics.wait` until the next intended time and then posts a message is ten times closer for the same CPU. At low
 * rates it wakes a little early and the event loop spins until the intended time, because waking an idle core takes
 * longer than all else (figures in docs/decisions/0004-pacing.md).
 */
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type PacerThreadData, signalled, stopped } from './pacer-thread.ts';

export interface Pacer {
  /**
   * Calls `sendDue` when a time has passed, and at low rates also shortly before.
   * @param startAtUs start of the load on the shared clock: origin of the times
   * @param sendDue returns the µs until the next time; +∞ after the last
   */
  start(startAtUs: number, sendDue: () => number): void;
  stop(): void;
}

export interface ThreadPacer extends Pacer {
  /** Kernel id of the helper thread; undefined where the system has none. */
  thread: number | undefined;
}

/** Max share of a core for spinning of the event loop. */
const leadShare = 0.03;
const maxLeadUs = 300;
/** A shorter lead than a thread's own lateness brings nothing. */
const minLeadUs = 50;

/** Closer than this to the intended time, the event loop spins without pauses. */
const fullSpeedUs = 20;
/** Calls per pause: 8–20 µs. */
const callsPerPause = 80;

/**
 * Passes some µs without garbage. A turn of the event loop takes about 3 µs and allocates 600 bytes. Without pauses,
 * turns alone filled the 64 MiB of young objects within 9.3 s on a fast host, at any low rate. A wait of no duration is
 * a call into the runtime: it allocates nothing, and takes as long before optimisation as after it.
 */
function pause(flags: Int32Array): void {
  for (let call = 0; call < callsPerPause; call++) Atomics.wait(flags, stopped, 0, 0);
}

/**
 * @param timesUs intended send times, ascending
 * @param entry script of the helper thread: the generator's own entry file, which acts as pacer in a thread
 */
export async function createPacer(timesUs: Float64Array, entry: string): Promise<ThreadPacer> {
  const shared = new SharedArrayBuffer(timesUs.byteLength);
  new Float64Array(shared).set(timesUs);
  const flags = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const leadUs = leadTimeUs(timesUs);
  const data: PacerThreadData = { timesUs: shared, flags: flags.buffer, leadUs };
  const thread = startThread(entry, data);
  const [number] = (await once(thread, 'message')) as [number | undefined];
  return {
    thread: number,
    start(startAtUs, sendDue) {
      let turning = false;
      const turn = (): void => {
        const waitUs = sendDue();
        turning = waitUs <= leadUs;
        if (!turning) return;
        if (waitUs > fullSpeedUs) pause(flags);
        setImmediate(turn);
      };
      thread.on('message', () => {
        Atomics.store(flags, signalled, 0);
        if (!turning) turn();
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

/**
 * How long before each time the event loop begins to spin: a share of the mean gap, so that the cost does not grow with
 * the rate.
 */
function leadTimeUs(timesUs: Float64Array): number {
  const meanGapUs = (timesUs.at(-1) ?? 0) / timesUs.length;
  const leadUs = Math.min(maxLeadUs, leadShare * meanGapUs);
  return leadUs < minLeadUs ? 0 : leadUs;
}

/** In a working copy the entry is TypeScript, and a thread does not inherit the loader of its process. */
function startThread(entry: string, workerData: PacerThreadData): Worker {
  if (!entry.endsWith('.ts')) return new Worker(entry, { workerData });
  const [loader, script] = [import.meta.resolve('tsx/esm/api'), pathToFileURL(entry).href];
  const source = `import('${loader}').then(({ register }) => { register(); return import('${script}'); })`;
  return new Worker(source, { eval: true, workerData });
}
