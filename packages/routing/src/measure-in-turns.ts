/**
 * One repetition of several deployments: the same requests at the same rate to each, in short alternating slices.
 * Disturbances of the machine affect all of them equally.
 */
import type { HostIntervals, RoleStats, RoleTimeline, Sample } from '@topo-bench/core';
import type { HostUse } from '@topo-bench/host';
import {
  driverNamed,
  jobOfServer,
  type Launcher,
  type LoadJob,
  type LoadResult,
  loadOfServer,
  measureLoad,
  openAfterTurn,
  type SystemUse,
  type Turns,
} from '@topo-bench/loadgen';
import { loadPlace } from '@topo-bench/measured';
import { lateSlices, meanLagErrorUs, type SlicedLoad, withoutSlices } from '@topo-bench/results';
import type { ExperimentCell, MeasureContext, MeasuredRepetition } from '@topo-bench/trial';
import { durationInTurnsUs, turnUs } from '@topo-bench/workload';
import { assembleCell } from './cell.ts';
import { checkDecisions } from './check-decisions.ts';
import { clientLinks } from './client-links.ts';
import { gatewayLoad, generatorOf } from './measure-repetition.ts';
import { ProfiledRoles } from './profiled-roles.ts';
import { type RoleRecords, roleRecords } from './role-records.ts';
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
  const profiled = places.map(({ side }) => new ProfiledRoles(side));
  const { load, host, hostIntervals, systems } = await measureLoad({
    ...context,
    driver: driverNamed(cell.settings.load.driver, place.launcher),
    job,
    systems: profiled.map(({ system }) => system),
    detachedCpuUs: () => detachedCpuUs(places),
  });
  const records = await Promise.all(places.map(({ side }) => roleRecords(side, side.setup.traceShare)));
  context.onPhase('check');
  const shares = places.map((_, server) => loadOfServer(load, server, places.length));
  const isOpen = ({ samples, sent }: LoadResult): boolean =>
    openAfterTurn(samples, turns) > maxOpenShare * Math.max(1, sent);
  // A level with a load of its own has no others to run into.
  const overlap = places.length > 1 && shares.some(isOpen);
  const own = places.map(({ cell }, server): OwnLoad => {
    const share = shares[server] as LoadResult;
    const requestOf = generatorOf(cell, repetition);
    const samples = requestSamples(share, requestOf, clientLinks(cell));
    return { job: jobOfServer(job, server), load: share, repetition, requestOf, samples };
  });
  const periodUs = turnUs(turns) * places.length;
  const leftOut = leaveOutLate ? lateSlices(slicedLoad(cell, own, periodUs, job.durationUs)) : new Set<number>();
  const measured: MeasuredRepetition[] = [];
  for (const [server, place] of places.entries()) {
    const joint: JointFacts = {
      ...{ host, hostIntervals, turns, overlap, leftOut, periodUs },
      levels: places.length,
      wholeDurationUs: job.durationUs,
      system: systems[server] as SystemUse<RoleStats[]>,
      records: records[server] as RoleRecords,
      otherTimelines: records.flatMap(({ timelines }, other) => (other === server ? [] : timelines)),
    };
    const { profile } = profiled[server] as ProfiledRoles;
    measured.push({ ...(await collect(place, own[server] as OwnLoad, joint)), ...(profile && { profile }) });
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
  gatewayUrls: readonly (readonly string[])[],
  repetition: number,
): LoadJob & { turns: Turns } {
  const jobs = places.map(({ cell }, server) =>
    gatewayLoad(cell, repetition, gatewayUrls[server] as readonly string[]),
  );
  const [first] = jobs as [LoadJob];
  const [{ cell }] = places as [Place];
  const { slice: sliceUs, gap: gapUs } = cell.settings.turns;
  const requests = jobs.flatMap(({ request }) => (request.kind === 'generated' ? [request] : []));
  const turns: Turns = { sliceUs, gapUs, requests };
  const urls = jobs.flatMap((job) => job.urls);
  const some = jobs.some(({ entries }) => entries !== undefined);
  const entries = jobs.map((job) => job.entries?.[0] ?? [{ region: '', url: job.urls[0] as string }]);
  return {
    ...first,
    urls,
    ...(some && { entries }),
    turns,
    durationUs: durationInTurnsUs(first.durationUs, urls.length, turns),
  };
}

interface JointFacts {
  /** Usage and counters in the whole load. */
  system: SystemUse<RoleStats[]>;
  host: HostUse | undefined;
  hostIntervals: HostIntervals | undefined;
  wholeDurationUs: number;
  records: RoleRecords;
  /** Timelines of the roles of the other levels. */
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
  { cell, side: { deployment, keys, deaths, warmUp, measurements } }: Place,
  own: OwnLoad,
  { system, records, turns, levels, overlap, leftOut, periodUs, ...joint }: JointFacts,
): Promise<MeasuredRepetition> {
  const { job, load, repetition, requestOf, samples: all } = own;
  const { warm, ...history } = warmUp;
  const { spans, ...recorded } = records;
  const indexes = load.samples.index;
  const drawn = (row: number) => requestOf(indexes[row] as number);
  // Wrong decisions and processor time count in every slice.
  const check = await checkDecisions(cell.graph, all, drawn, keys);
  const samples = withoutSlices(all, periodUs, leftOut);
  const lagErrorUs = meanLagErrorUs(samples, periodUs);
  const slices = Math.round(job.durationUs / turns.sliceUs);
  // Its processes are idle during other turns, so their usage belongs to their share of the time.
  const stats = system.stats.map((role) => ({
    ...role,
    eventLoopUtilization: Math.min(1, role.eventLoopUtilization * levels),
  }));
  const entry = assembleCell({
    ...joint,
    ...recorded,
    ...{ deployment, cell, samples, check, warm, deaths },
    history: { rank: measurements, ...history },
    ...{ job, load, repetition },
    answered: all.filter(({ outcome }) => outcome !== 'unfinished').length,
    stats,
    use: Object.fromEntries(
      Object.entries(system.processes).map(([kind, one]) => [kind, { ...one, windowUs: one.windowUs / levels }]),
    ),
    windowUs: system.windowUs / levels,
    // Time of its own slices; the whole load is longer.
    achievedRps: sentOf(samples) / (((slices - leftOut.size) * turns.sliceUs) / 1e6),
    turns: {
      ...{ levels, sliceUs: turns.sliceUs, gapUs: turns.gapUs },
      ...(Number.isFinite(lagErrorUs) && { lagErrorUs }),
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
