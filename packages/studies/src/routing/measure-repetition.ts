/** One repetition on a warm, idle deployment: reset of counters, load, drain, collection and check. */
import type {
  DeliveryKeys,
  GatewayRequest,
  HostIntervals,
  RoleStats,
  RoleTimeline,
  TopoBenchError,
} from '@topo-bench/core';
import type { Cell, DeploymentHistory } from '@topo-bench/core/schema/result';
import { inFlightCap } from '@topo-bench/deployment';
import type { HostUse } from '@topo-bench/host';
import {
  driverNamed,
  type Launcher,
  type LoadJob,
  type LoadResult,
  LoadWatch,
  loadJob,
  loadOf,
} from '@topo-bench/loadgen';
import { loadPlace, type ProcessUse, ProcessWatch, usageByKind } from '@topo-bench/measured';
import type { Deployment } from '@topo-bench/runners';
import type { ExperimentCell, MeasureContext, MeasuredRepetition } from '@topo-bench/trial';
import { requestGenerator } from '@topo-bench/workload';
import { assembleCell } from './cell.ts';
import { checkDecisions } from './check-decisions.ts';
import { requestSamples } from './samples.ts';
import { requestsPath } from './warm-up-deployment.ts';

export interface RepetitionSetup {
  deployment: Deployment;
  /** Deaths of roles so far; grows while the repetition runs. */
  deaths: readonly TopoBenchError[];
  cell: ExperimentCell;
  repetition: number;
  history: DeploymentHistory;
  /** Whether the warm-up settled. */
  warm: boolean;
  launcher: Launcher | undefined;
  /** Keys of the deployment. */
  keys: DeliveryKeys;
  context: MeasureContext;
}

export async function measureRepetition(setup: RepetitionSetup): Promise<MeasuredRepetition> {
  const { deployment, cell, repetition, context } = setup;
  const { graph, settings } = cell;
  const { launcher, gatewayUrls } = loadPlace([deployment], {
    from: settings.load.from,
    launcher: setup.launcher,
  });
  const job = gatewayLoad(cell, repetition, gatewayUrls[0] as string);
  const measured = await measureWindow({ ...setup, launcher }, job);
  context.onPhase('check');
  const requestOf = generatorOf(cell, repetition);
  const samples = requestSamples(measured.load, requestOf);
  const indexes = measured.load.samples.index;
  const check = await checkDecisions(graph, samples, (row) => requestOf(indexes[row] as number), setup.keys);
  const entry: Cell = assembleCell({ ...setup, ...measured, job, samples, check });
  const requests = settings.keepRequests ? Array.from(indexes, requestOf) : [];
  return { entry, samples, requests, spans: measured.spans };
}

interface MeasuredWindow {
  load: LoadResult;
  /** Empty after the death of a role: the usage of all roles is unknown then. */
  stats: RoleStats[];
  /** From the reset of counters until they are read. */
  windowUs: number;
  /** By kind of role. */
  use: Record<string, ProcessUse>;
  pssBytesOf: Map<string, number>;
  host: HostUse | undefined;
  hostIntervals: HostIntervals | undefined;
  timelines: RoleTimeline[];
  spans: MeasuredRepetition['spans'];
}

async function measureWindow(
  { deployment, deaths, cell, launcher, context }: RepetitionSetup,
  job: LoadJob,
): Promise<MeasuredWindow> {
  const { signal, onPhase } = context;
  onPhase('load');
  let startMs = performance.now();
  const watch = new LoadWatch({ detachedCpuUs: () => deployment.detachedCpuUs() });
  const processes = new ProcessWatch(() => usageByKind(deployment));
  processes.idle(signal);
  const load = await driverNamed(cell.settings.load.driver, launcher).run(job, signal, {
    onReady: () =>
      processes.ready(signal, async () => {
        await deployment.reset();
        startMs = performance.now();
      }),
    onStart: () => watch.begin(),
    onLoadEnd: () => {
      watch.end();
      onPhase('drain');
    },
    onDrained: () => processes.drained(),
  });
  onPhase('collect');
  const use = await processes.use();
  const stats = deaths.length > 0 ? [] : await deployment.stats();
  const windowUs = (performance.now() - startMs) * 1e3;
  const spans = cell.settings.traceHops > 0 && deaths.length === 0 ? await deployment.spans() : [];
  const timelines = deaths.length > 0 ? [] : await deployment.timelines();
  const pssBytesOf = await proportionalSetSizes(deployment);
  const { host, hostIntervals } = await watch.watchings(load);
  return { load, stats, windowUs, use, pssBytesOf, host, hostIntervals, timelines, spans };
}

/** The load of a cell on one gateway. */
export function gatewayLoad({ settings, graph }: ExperimentCell, repetition: number, gatewayUrl: string): LoadJob {
  return loadJob({
    ...loadOf(settings),
    urls: [gatewayUrl + requestsPath],
    request: { kind: 'generated', classes: graph.requestClasses },
    repetition,
    inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
  });
}

/** Draws each request once; samples, oracle and kept requests share it. */
export function generatorOf(
  { graph, settings }: ExperimentCell,
  repetition: number,
): (index: number) => GatewayRequest & { id: string } {
  const generate = requestGenerator({ classes: graph.requestClasses, seed: settings.seed, repetition });
  const drawn = new Map<number, GatewayRequest & { id: string }>();
  return (index) => {
    const known = drawn.get(index);
    if (known) return known;
    const request = generate(index);
    const named = { ...request, id: request.id ?? String(index) };
    drawn.set(index, named);
    return named;
  };
}

/** By name of the role, without roles that the host cannot read. */
export async function proportionalSetSizes(deployment: Pick<Deployment, 'usage'>): Promise<Map<string, number>> {
  const usages = await deployment.usage({ pss: true });
  return new Map(usages.flatMap(({ name, pssBytes }) => (pssBytes === undefined ? [] : [[name, pssBytes] as const])));
}
