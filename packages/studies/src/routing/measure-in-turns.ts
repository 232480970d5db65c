/**
 * One repetition of several deployments: the same requests at the same rate to each, in short alternating slices.
 * Disturbances of the machine affect all of them equally.
 */
import {
  type ExperimentCell,
  type MeasureContext,
  type MeasuredRepetition,
  type ProcessUse,
  ProcessWatch,
  usageByKind,
} from '@topo-bench/experiment';
import type { HostUse } from '@topo-bench/host';
import {
  driverNamed,
  durationInTurnsUs,
  jobOfServer,
  type Launcher,
  type LoadJob,
  type LoadResult,
  LoadWatch,
  loadOfServer,
  openAfterTurn,
  type Turns,
} from '@topo-bench/loadgen';
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
  launcher: Launcher | undefined;
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
  { context, repetition, launcher }: TurnsOptions,
): Promise<MeasuredRepetition[]> {
  const [{ cell }] = places as [Place];
  const job = jointJob(places, repetition);
  const { turns } = job;
  for (const { side } of places) side.measurements++;
  context.onPhase('load');
  let startMs = performance.now();
  const processes = places.map(({ side }) => new ProcessWatch(() => usageByKind(side.deployment)));
  for (const each of processes) each.idle(context.signal);
  const watch = new LoadWatch({ detachedCpuUs: () => detachedCpuUs(places) });
  const load = await driverNamed(cell.settings.load.driver, launcher).run(job, context.signal, {
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
  const { host } = await watch.watchings();
  const measured: MeasuredRepetition[] = [];
  for (const [server, place] of places.entries()) {
    const own = { job: jobOfServer(job, server), load: shares[server] as LoadResult, repetition };
    const use = (await processes[server]?.use()) ?? {};
    measured.push(await collect(place, own, { windowUs, use, host, turns, levels: places.length, overlap }));
  }
  return measured;
}

async function detachedCpuUs(places: readonly Place[]): Promise<number> {
  const each = await Promise.all(places.map(({ side }) => side.deployment.detachedCpuUs()));
  return each.reduce((sum, cpuUs) => sum + cpuUs, 0);
}

/** The loads of all places as one job. */
function jointJob(places: readonly Place[], repetition: number): LoadJob & { turns: Turns } {
  const jobs = places.map(({ cell, side }) => gatewayLoad(cell, repetition, side.deployment.gatewayUrl));
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
  turns: Turns;
  levels: number;
  /** Whether requests of one level ran into the turns of others. */
  overlap: boolean;
}

async function collect(
  { cell, side: { deployment, keys, deaths, warmUp, measurements, setup } }: Place,
  own: { job: LoadJob; load: LoadResult; repetition: number },
  { windowUs, use, host, turns, levels, overlap }: JointFacts,
): Promise<MeasuredRepetition> {
  const { load, repetition } = own;
  const { warm, ...history } = warmUp;
  const stats = deaths.length > 0 ? [] : await deployment.stats();
  const spans = setup.traceShare > 0 && deaths.length === 0 ? await deployment.spans() : [];
  const requestOf = generatorOf(cell, repetition);
  const indexes = load.samples.index;
  const samples = requestSamples(load, requestOf);
  const drawn = (row: number) => requestOf(indexes[row] as number);
  const check = await checkDecisions(cell.graph, samples, drawn, keys);
  // Its processes are idle during other turns, so their usage belongs to their share of the time.
  const shareOfTime = stats.map((role) => ({
    ...role,
    eventLoopUtilization: Math.min(1, role.eventLoopUtilization * levels),
  }));
  const entry = assembleCell({
    ...{ deployment, cell, samples, check, warm, deaths, host },
    history: { rank: measurements, ...history },
    ...own,
    stats: shareOfTime,
    use: Object.fromEntries(
      Object.entries(use).map(([kind, one]) => [kind, { ...one, windowUs: one.windowUs / levels }]),
    ),
    windowUs: windowUs / levels,
    pssBytesOf: await proportionalSetSizes(deployment),
    // Time of its own slices; the whole load is longer.
    achievedRps: (load.sent * 1e6) / own.job.durationUs,
    turns: { levels, sliceUs: turns.sliceUs, gapUs: turns.gapUs },
    findings: { flags: overlap ? ['overlap'] : [] },
  });
  return {
    entry,
    samples,
    requests: cell.settings.keepRequests ? Array.from(indexes, requestOf) : [],
    spans,
  };
}
