/**
 * One repetition of several deployments: the same requests at the same rate to each, in short alternating slices.
 * Disturbances of the machine affect all of them equally.
 */
import type { HostIntervals, RoleTimeline, Sample } from '@topo-bench/core';
import type { HostUse } from '@topo-bench/host';
import {
  driverNamed,
  jobOfServer,
  type Launcher,
  type LoadJob,
  type LoadResult,
  LoadWatch,
  loadOfServer,
  openAfterTurn,
  type Turns,
} from '@topo-bench/loadgen';
import { loadPlace, type ProcessUse, ProcessWatch, usageByKind } from '@topo-bench/measured';
import { lateSlices, type SlicedLoad, withoutSlices } from '@topo-bench/results';
import type { ExperimentCell, MeasureContext, MeasuredRepetition } from '@topo-bench/trial';
import { durationInTurnsUs, turnUs } from '@topo-bench/workload';
import { assembleCell } from './cell.ts';
import { checkDecisions } from './check-decisions.ts';
import { gatewayLoad, generatorOf, proportionalSetSizes } from './measure-repetition.ts';
import { requestSamples } from './samples.ts';
import type { Side } from './side.ts';

/** A cell and its deployment. */
export interface Place {
  cell: ExperimentCell;
  side: Side;
}

export interface TurnsOptions {
  context: MeasureContext;
  repetition: number;
  launcher?: Launcher | undefined;
  /** Leaves out slices in which requests left late, on all sides alike. */
  leaveOutLate?: boolean;
}

/** Max share of a level's requests that may be open when the next turn begins; more disturb the other levels. */
const maxOpenShare = 0.01;

/**
 * @param places at least one; the settings of their load must be equal
 * @returns in the order of the places
 * @throws TopoBenchError errors of the load
 */
export async function measureInTurns(
  places: readonly Place[],
  { context, repetition, launcher, leaveOutLate = false }: TurnsOptions,
): Promise<MeasuredRepetition[]> {
  const [{ cell }] = places as [Place];
  const place = loadPlace(
    places.map(({ side }) => side.deployment),
    { from: cell.settings.load.from, launcher },
  );
  const job = jointJob(places, place.gatewayUrls, repetition);
  const { turns } = job;
  for (const { side } of places) side.measurements++;
  context.onPhase('load');
  let startMs = performance.now();
  const processes = places.map(({ side }) => new ProcessWatch(() => usageByKind(side.deployment)));
  for (const each of processes) each.idle(context.signal);
  const watch = new LoadWatch({ detachedCpuUs: () => detachedCpuUs(places) });
  const load = await driverNamed(cell.settings.load.driver, place.launcher).run(job, context.signal, {
    onReady: async () => {
      await Promise.all(
        places.map(({ side }, server) => processes[server]?.ready(context.signal, () => side.deployment.reset())),
      );
      startMs = performance.now();
    },
    onStart: () => watch.begin(),
    onLoadEnd: () => {
      watch.end();
      context.onPhase('drain');
    },
    onDrained: () => {
      for (const each of processes) each.drained();
    },
  });
  context.onPhase('collect');
  const windowUs = (performance.now() - startMs) * 1e3;
  const shares = places.map((_, server) => loadOfServer(load, server, places.length));
  const overlap = shares.some(({ samples, sent }) => openAfterTurn(samples, turns) > maxOpenShare * Math.max(1, sent));
  const { host, hostIntervals } = await watch.watchings(load);
  const own = places.map(({ cell }, server): OwnLoad => {
    const share = shares[server] as LoadResult;
    const requestOf = generatorOf(cell, repetition);
    const samples = requestSamples(share, requestOf);
    return { job: jobOfServer(job, server), load: share, repetition, requestOf, samples };
  });
  const periodUs = turnUs(turns) * places.length;
  const leftOut = leaveOutLate ? lateSlices(slicedLoad(cell, own, periodUs, job.durationUs)) : new Set<number>();
  const timelines = await Promise.all(
    places.map(({ side: { deaths, deployment } }) => (deaths.length > 0 ? [] : deployment.timelines())),
  );
  const measured: MeasuredRepetition[] = [];
  for (const [server, place] of places.entries()) {
    const use = (await processes[server]?.use()) ?? {};
    const joint: JointFacts = {
      ...{ windowUs, use, host, hostIntervals, turns, overlap, leftOut, periodUs },
      levels: places.length,
      wholeDurationUs: job.durationUs,
      timelines: timelines[server] ?? [],
      otherTimelines: timelines.filter((_, other) => other !== server).flat(),
    };
    measured.push(await collect(place, own[server] as OwnLoad, joint));
  }
  return measured;
}

/** The share of one place in the joint load. */
interface OwnLoad {
  job: LoadJob;
  load: LoadResult;
  repetition: number;
  /** The request of an index, as the generator drew it. */
  requestOf: ReturnType<typeof generatorOf>;
  samples: readonly Sample[];
}

function slicedLoad(
  { settings }: ExperimentCell,
  own: readonly OwnLoad[],
  periodUs: number,
  durationUs: number,
): SlicedLoad {
  const { smallestDifference } = settings.validity;
  const rateRps = settings.load.rate;
  return { sides: own.map(({ samples }) => samples), periodUs, durationUs, smallestDifference, rateRps };
}

async function detachedCpuUs(places: readonly Place[]): Promise<number> {
  const each = await Promise.all(places.map(({ side }) => side.deployment.detachedCpuUs()));
  return each.reduce((sum, cpuUs) => sum + cpuUs, 0);
}

/** The loads of all places as one job. */
function jointJob(
  places: readonly Place[],
  gatewayUrls: readonly string[],
  repetition: number,
): LoadJob & { turns: Turns } {
  const jobs = places.map(({ cell }, server) => gatewayLoad(cell, repetition, gatewayUrls[server] as string));
  const [first] = jobs as [LoadJob];
  const [{ cell }] = places as [Place];
  const { slice: sliceUs, gap: gapUs } = cell.settings.turns;
  const requests = jobs.flatMap(({ request }) => (request.kind === 'generated' ? [request] : []));
  const turns: Turns = { sliceUs, gapUs, requests };
  const urls = jobs.flatMap((job) => job.urls);
  return { ...first, urls, turns, durationUs: durationInTurnsUs(first.durationUs, urls.length, turns) };
}

interface JointFacts {
  /** Usage in the whole load: from the reset of counters until they are read. */
  windowUs: number;
  /** By kind of role. */
  use: Readonly<Record<string, ProcessUse>>;
  host: HostUse | undefined;
  hostIntervals: HostIntervals | undefined;
  wholeDurationUs: number;
  /** Timelines of its own roles, and of those of the other levels. */
  timelines: readonly RoleTimeline[];
  otherTimelines: readonly RoleTimeline[];
  turns: Turns;
  levels: number;
  /** Whether requests of one level ran into the turns of others. */
  overlap: boolean;
  /** Slices that no figure of the samples includes, and the time from one slice to the next. */
  leftOut: ReadonlySet<number>;
  periodUs: number;
}

async function collect(
  { cell, side: { deployment, keys, deaths, warmUp, measurements, setup } }: Place,
  own: OwnLoad,
  { windowUs, use, turns, levels, overlap, leftOut, periodUs, ...joint }: JointFacts,
): Promise<MeasuredRepetition> {
  const { job, load, repetition, requestOf, samples: all } = own;
  const { warm, ...history } = warmUp;
  const stats = deaths.length > 0 ? [] : await deployment.stats();
  const spans = setup.traceShare > 0 && deaths.length === 0 ? await deployment.spans() : [];
  const indexes = load.samples.index;
  const drawn = (row: number) => requestOf(indexes[row] as number);
  // Wrong decisions and processor time count in every slice.
  const check = await checkDecisions(cell.graph, all, drawn, keys);
  const samples = withoutSlices(all, periodUs, leftOut);
  const slices = Math.round(job.durationUs / turns.sliceUs);
  // Its processes are idle during other turns, so their usage belongs to their share of the time.
  const shareOfTime = stats.map((role) => ({
    ...role,
    eventLoopUtilization: Math.min(1, role.eventLoopUtilization * levels),
  }));
  const entry = assembleCell({
    ...joint,
    ...{ deployment, cell, samples, check, warm, deaths },
    history: { rank: measurements, ...history },
    ...{ job, load, repetition },
    answered: all.filter(({ outcome }) => outcome !== 'unfinished').length,
    stats: shareOfTime,
    use: Object.fromEntries(
      Object.entries(use).map(([kind, one]) => [kind, { ...one, windowUs: one.windowUs / levels }]),
    ),
    windowUs: windowUs / levels,
    pssBytesOf: await proportionalSetSizes(deployment),
    // Time of its own slices; the whole load is longer.
    achievedRps: sentOf(samples) / (((slices - leftOut.size) * turns.sliceUs) / 1e6),
    turns: {
      ...{ levels, sliceUs: turns.sliceUs, gapUs: turns.gapUs },
      ...(leftOut.size > 0 && {
        leftOut: { slices: leftOut.size, ofSlices: slices, requests: all.length - samples.length },
      }),
    },
    findings: { flags: overlap ? ['overlap'] : [] },
  });
  return {
    entry,
    samples,
    requests: cell.settings.keepRequests ? Array.from(indexes, requestOf) : [],
    spans,
  };
}

function sentOf(samples: readonly Sample[]): number {
  return samples.filter(({ sentUs }) => sentUs !== null).length;
}
