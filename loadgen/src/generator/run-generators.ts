/** The coordinator: launches the generators of a load, starts them at one instant, and joins their results. */
import { counted, type GeneratorHostUse, TopoBenchError } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import { type ClockOffset, hostClock, type Wakefulness } from '@topo-bench/host';
import type { LoadObserver } from '../driver.ts';
import { drivers } from '../drivers.ts';
import type { Launcher } from '../launcher/launcher.ts';
import { checkLoadJob, type LoadJob } from '../load-job.ts';
import { type FinishedPart, joinShards, type LoadResult } from '../load-result.ts';
import { Generator } from './generator.ts';
import type { LoadPart } from './messages.ts';

/** Min lead time from "all are ready" to the start: enough for the message to reach a generator on a busy host. */
const minHeadStartUs = 100_000;
/** The error of the alignment is half of the quickest round trip to a generator. */
const headStartErrors = 100;

export interface GeneratorsOptions {
  driver: DriverName;
  job: LoadJob;
  launcher: Launcher;
  signal?: AbortSignal | undefined;
  observer?: LoadObserver | undefined;
}

/**
 * Runs the load. All generators have ended when the promise settles.
 * @throws TopoBenchError as `Driver.run`
 */
export async function runGenerators({
  driver,
  job,
  launcher,
  signal,
  observer,
}: GeneratorsOptions): Promise<LoadResult> {
  checkLoadJob(job);
  signal?.throwIfAborted();
  const { keepsTime } = drivers[driver];
  const generators = await launch(launcher, partsOf(driver, job, launcher), signal);
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
    const startErrorUs = Math.max(...offsets.map(({ errorUs }) => errorUs));
    const headStartUs = Math.max(minHeadStartUs, headStartErrors * startErrorUs);
    const startAtUs = hostClock.nowUs() + headStartUs;
    const startedAt = new Date(Date.now() + headStartUs / 1e3);
    timers.push(setTimeout(() => observer?.onStart?.(startAtUs), headStartUs / 1e3));
    const loadEnd = onlyOnce(() => observer?.onLoadEnd?.());
    timers.push(setTimeout(loadEnd, (headStartUs + job.durationUs) / 1e3));
    const drained = afterCalls(generators.length, () => observer?.onDrained?.());
    const startOf = (i: number): number => startAtUs + (offsets[i]?.us ?? 0);
    const watched = watchHosts(generators, job, startOf);
    const shards = await all((generator, i) => generator.start(startOf(i), drained, observer?.onProgress));
    loadEnd();
    const clocks = await all((generator, i) => clockOf(generator, offsets[i] as ClockOffset));
    const parts = shards.map((shard, i): FinishedPart => {
      const { name, host } = generators[i] as Generator;
      return { ...shard, name, ...(host && { host: host.id }), ...clocks[i] };
    });
    const granted = { realTimePriority: prioritised.every(Boolean), coresKeptAwake: awake !== undefined };
    const generatorHosts = await Promise.race([aborted, watched]);
    const result = joinShards(job, parts, { startedAt, startAtUs, startErrorUs, granted, generatorHosts });
    if (driver === 'open' && launcher.isRemote) {
      const { requireWholeSchedule } = await import('../open/whole-schedule.ts');
      requireWholeSchedule(job, result.samples);
    }
    return result;
  } finally {
    listening.abort();
    for (const timer of timers) clearTimeout(timer);
    await Promise.all([awake?.end(), ...generators.map((generator) => generator.end())]);
  }
}

/** Each generator has the processes that the job states. Default: what one machine needs, else one. */
function partsOf(driver: DriverName, job: LoadJob, { isRemote }: Launcher): LoadPart[] {
  const { generators, processes = isRemote || generators > 1 ? 1 : undefined } = job;
  const wanted = processes === undefined ? {} : { processes: generators * processes };
  const parts = drivers[driver].parts({ ...job, ...wanted });
  if (parts < generators) {
    const message = `${generators} generators for a load of ${counted(parts, 'part')}`;
    throw new TopoBenchError('TB_USAGE', message, { hint: 'the closed model splits connections, transfers streams' });
  }
  return Array.from({ length: parts }, (_, part) => ({ driver, job, shard: { part, parts } }));
}

async function launch(launcher: Launcher, parts: readonly LoadPart[], signal?: AbortSignal): Promise<Generator[]> {
  const links = await launcher.launch(parts, signal);
  return links.map((link, i) => new Generator(link, parts[i] as LoadPart));
}

/** Each host of generators once, during the load; without this one, which the caller watches. */
async function watchHosts(
  generators: readonly Generator[],
  { durationUs }: LoadJob,
  startOf: (index: number) => number,
): Promise<GeneratorHostUse[]> {
  const firstOf = new Map<string, number>();
  for (const [i, { host }] of generators.entries()) if (host && !firstOf.has(host.id)) firstOf.set(host.id, i);
  const uses = await Promise.all(
    [...firstOf].map(async ([id, i]) => {
      const use = await generators[i]?.host?.watch(startOf(i), startOf(i) + durationUs);
      return use && { id, use };
    }),
  );
  return uses.filter((one) => one !== undefined);
}

/** The offset at the start, and what it changed by during the load. Empty for the same clock. */
async function clockOf(generator: Generator, atStart: ClockOffset): Promise<Pick<FinishedPart, 'clock'>> {
  if (atStart.us === 0) return {};
  const atEnd = await generator.alignClock();
  return {
    clock: {
      offsetUs: atStart.us,
      errorUs: atStart.errorUs,
      driftUs: atEnd.us - atStart.us,
      driftErrorUs: atStart.errorUs + atEnd.errorUs,
    },
  };
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
