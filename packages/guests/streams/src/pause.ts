/** Waiting of a job on a real machine: `StreamJob.pause`. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/**
 * One turn of the event loop, or a timer of whole milliseconds. An event can wait for up to one more ms: turns of the
 * event loop until it is due would take a core from the store.
 */
export async function pauseOnTimers(us: number, signal?: AbortSignal): Promise<void> {
  await (us <= 0 ? turn() : sleep(Math.max(1, Math.floor(us / 1000)), undefined, { signal }));
}
