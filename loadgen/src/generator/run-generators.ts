/** The coordinator: launches the generators of a load, starts them at one instant, and joins their results. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import { hostClock, type Wakefulness } from '@topo-bench/host';
import type { LoadObserver } from '../driver.ts';
import { drivers } from '../drivers.ts';
import type { Launcher } from '../launcher/launcher.ts';
import { checkLoadJob, type LoadJob } from '../load-job.ts';
import { joinShards, type LoadResult } from '../load-result.ts';
import { Generator } from './generator.ts';
import type { LoadPart } from './messages.ts';

/** Lead time from "all are ready" to the start: enough for the message to reach a generator on a busy host. */
const headStartUs = 100_000;

export interface GeneratorsOptions {
  driver: DriverName;
  job: LoadJob;
  launcher: Launcher;
  signal?: AbortSignal | undefined;
  observer?: LoadObserver | undefined;
}

/** Runs the load. All generators have ended when the promise settles. */
export async function runGenerators({
  driver,
  job,
  launcher,
  signal,
  observer,
}: GeneratorsOptions): Promise<LoadResult> {
  checkLoadJob(job);
  signal?.throwIfAborted();
  const { keepsTime, parts } = drivers[driver];
  const generators = await launch(launcher, partsOf(driver, job, parts(job)));
  const listening = new AbortController();
  const aborted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: listening.signal }),
  );
  const all = <Result>(ask: (generator: Generator, index: number) => Promise<Result>): Promise<Result[]> =>
    Promise.race([aborted, Promise.all(generators.map(ask))]);
  const timers: NodeJS.Timeout[] = [];
  let awake: Wakefulness | undefined;
  try {
    await all((generator) => generator.prepare());
    const prioritised = await all(async (generator) => keepsTime && (await generator.prioritise()));
    awake = keepsTime && job.keepAwake ? await launcher.keepAwake() : undefined;
    await observer?.onReady?.();
    signal?.throwIfAborted();
    // Measured right before the start: clocks of different hosts drift apart.
    const offsets = await all((generator) => generator.alignClock());
    const startAtUs = hostClock.nowUs() + headStartUs;
    const startedAt = new Date(Date.now() + headStartUs / 1e3);
    timers.push(setTimeout(() => observer?.onStart?.(), headStartUs / 1e3));
    const loadEnd = onlyOnce(() => observer?.onLoadEnd?.());
    timers.push(setTimeout(loadEnd, (headStartUs + job.durationUs) / 1e3));
    const drained = afterCalls(generators.length, () => observer?.onDrained?.());
    const shards = await all((generator, i) => generator.start(startAtUs + (offsets[i]?.us ?? 0), drained));
    loadEnd();
    const granted = { realTimePriority: prioritised.every(Boolean), coresKeptAwake: awake !== undefined };
    const startErrorUs = Math.max(...offsets.map(({ errorUs }) => errorUs));
    return joinShards(job, shards, { startedAt, startAtUs, startErrorUs, granted });
  } finally {
    listening.abort();
    for (const timer of timers) clearTimeout(timer);
    await Promise.all([awake?.end(), ...generators.map((generator) => generator.end())]);
  }
}

function partsOf(driver: DriverName, job: LoadJob, parts: number): LoadPart[] {
  return Array.from({ length: parts }, (_, part) => ({ driver, job, shard: { part, parts } }));
}

async function launch(launcher: Launcher, parts: readonly LoadPart[]): Promise<Generator[]> {
  const links = await launcher.launch(parts);
  return links.map((link, i) => new Generator(link, parts[i] as LoadPart));
}

/** Reports the end of the load by the clock, or by the generators when they are faster. */
function onlyOnce(call: () => void): () => void {
  let called = false;
  return () => {
    if (!called) call();
    called = true;
  };
}

/** Calls `call` on the `times`-th call. */
function afterCalls(times: number, call: () => void): () => void {
  let left = times;
  return () => {
    if (--left === 0) call();
  };
}
