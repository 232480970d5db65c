/**
 * One repetition of several deployments at once: the same requests at the same pace to each, in short slices that take turns. Whatever
 * the machine does meanwhile meets all of them; what is left between them is their own.
 */
import type { HostUse } from '@topo-bench/host';
import { driverNamed, type LoadJob, type LoadResult, LoadWatch, loadOfServer } from '@topo-bench/loadgen';
import type { Runner } from '@topo-bench/runners';
import { assembleCell } from '../assemble-cell.ts';
import type { ExperimentCell } from '../build-cell.ts';
import { checkDecisions } from '../check-decisions.ts';
import type { MeasureContext, MeasuredRepetition } from '../laboratory.ts';
import { generatorOf, loadJob, proportionalSetSizes } from '../measure-repetition.ts';
import { requestSamples } from '../request-samples.ts';
import { type Seat, type Side, startSide, warmUpSide } from './side.ts';

export interface RoundOptions {
  runner: Runner;
  context: MeasureContext;
  repetition: number;
  /** Built script of generator processes, when it is not in its usual place. */
  workerPath?: string;
}

/** Short beside what disturbs a machine for a while, long beside a request. */
const sliceUs = 500_000;

/**
 * Deploys all of them afresh, since processes of equal code can differ by some percent for as long as they live; measures; ends them.
 * @param seats their settings of the load and their requests must be equal
 * @returns per seat, in the order given
 * @throws TopoBenchError what a runner and a load throw; the death of a role when that is why
 */
export async function measureRound(seats: readonly Seat[], options: RoundOptions): Promise<MeasuredRepetition[]> {
  const { runner, context, repetition } = options;
  const order = inTurn([...seats.keys()], repetition);
  const sides: Side[] = [];
  try {
    context.onPhase('deploy');
    for (const seat of order) sides.push(await startSide(seats[seat] as Seat, runner, context.signal));
    context.onPhase('warm-up');
    // Together, so that all get as warm: on a quiet machine as on a busy one.
    await Promise.all(sides.map((side) => warmUpSide(side, context)));
    const measured = await measureSides(sides, options);
    return [...seats.keys()].map((seat) => measured[order.indexOf(seat)] as MeasuredRepetition);
  } catch (error) {
    const death = sides.flatMap(({ deaths }) => deaths)[0];
    throw context.signal.aborted ? error : (death ?? error);
  } finally {
    await Promise.all(sides.map(({ deployment }) => deployment.stop()));
  }
}

/** Who starts, and is loaded, first: another one each time. */
function inTurn<T>(items: readonly T[], repetition: number): T[] {
  const first = repetition % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

async function measureSides(
  sides: readonly Side[],
  { context, repetition, workerPath }: RoundOptions,
): Promise<MeasuredRepetition[]> {
  const jobs = sides.map(({ cell, deployment }) => ownJob(cell, repetition, deployment.gatewayUrl));
  const [first] = jobs as [LoadJob];
  const job = { ...first, urls: jobs.flatMap(({ urls }) => urls), durationUs: first.durationUs * sides.length, sliceUs };
  context.onPhase('load');
  await Promise.all(sides.map(({ deployment }) => deployment.reset()));
  const startMs = performance.now();
  const watch = new LoadWatch();
  const load = await driverNamed('open', workerPath).run(job, context.signal, {
    onStart: () => watch.begin(),
    onLoadEnd: () => watch.end(),
  });
  context.onPhase('collect');
  const window = { windowUs: (performance.now() - startMs) * 1e3, host: watch.host };
  const collected: MeasuredRepetition[] = [];
  for (const [server, side] of sides.entries()) {
    const own = { job: jobs[server] as LoadJob, load: loadOfServer(load, server, sides.length), repetition };
    collected.push(await collect(side, own, window));
  }
  return collected;
}

async function collect(
  { cell, deployment, keys, deaths, warm }: Side,
  own: { job: LoadJob; load: LoadResult; repetition: number },
  window: { windowUs: number; host: HostUse | undefined },
): Promise<MeasuredRepetition> {
  const { load, repetition } = own;
  const stats = deaths.length > 0 ? [] : await deployment.stats();
  const requestOf = generatorOf(cell, repetition);
  const samples = requestSamples(load, requestOf);
  const drawn = (row: number) => requestOf(load.samples.index[row] as number);
  const check = await checkDecisions(cell.graph, cell.plan, samples, drawn, keys);
  const facts = { deployment, cell, samples, check, warm, deaths, stats, pssBytesOf: proportionalSetSizes(stats) };
  const entry = assembleCell({ ...facts, ...own, ...window });
  // Of its own turns: the whole load is longer.
  const achievedRps = (load.sent * 1e6) / own.job.durationUs;
  return { entry: { ...entry, achievedRps }, samples, requests: [], spans: [] };
}

/** The load of one side, as if it were alone; whole slices. */
function ownJob(cell: ExperimentCell, repetition: number, gatewayUrl: string): LoadJob {
  const job = loadJob(cell, repetition, gatewayUrl);
  return { ...job, durationUs: Math.ceil(job.durationUs / sliceUs) * sliceUs };
}
