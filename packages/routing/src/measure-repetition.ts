/** One repetition on a warm, idle deployment: the load, what the roles recorded, and the check. */
import type { DeliveryKeys, GatewayRequest, RoleStats } from '@topo-bench/core';
import type { Cell, DeploymentHistory, EventRecord } from '@topo-bench/core/schema/result';
import { inFlightCap } from '@topo-bench/deployment';
import {
  driverNamed,
  type Launcher,
  type LoadJob,
  loadJob,
  loadOf,
  measureLoad,
  type SystemUse,
} from '@topo-bench/loadgen';
import { loadPlace } from '@topo-bench/measured';
import type { Graph } from '@topo-bench/topology';
import type { ExperimentCell, MeasureContext, MeasuredRepetition } from '@topo-bench/trial';
import { requestGenerator, scheduleUs } from '@topo-bench/workload';
import { assembleCell } from './cell.ts';
import { checkDecisions } from './check-decisions.ts';
import type { checkVersions } from './check-versions.ts';
import { clientLinks } from './client-links.ts';
import type { withExpectedLoss } from './crash-model.ts';
import { loadedRoles, roleRecords, type WatchedRoles } from './role-records.ts';
import { requestSamples } from './samples.ts';
import { entriesOf, requestsPath } from './warm-up-deployment.ts';

export interface RepetitionSetup extends WatchedRoles {
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

/** @returns also whether an event has killed a role or changed rules */
export async function measureRepetition(setup: RepetitionSetup): Promise<MeasuredRepetition & { endedRoles: boolean }> {
  const { deployment, cell, repetition, context } = setup;
  const { graph, settings } = cell;
  const { launcher, gatewayUrls } = loadPlace([deployment], {
    from: settings.load.from,
    launcher: setup.launcher,
  });
  const job = gatewayLoad(cell, repetition, gatewayUrls[0] as readonly string[]);
  const roles = loadedRoles(setup);
  const planned = await eventsOn(setup);
  const { load, host, hostIntervals, systems, events } = await measureLoad({
    ...context,
    driver: driverNamed(settings.load.driver, launcher),
    job,
    systems: [planned ? { ...roles, stats: () => planned.undo().then(roles.stats) } : roles],
    detachedCpuUs: () => deployment.detachedCpuUs(),
    events: planned?.forLoad ?? [],
  });
  const [{ processes: use, stats, windowUs }] = systems as [SystemUse<RoleStats[]>];
  const { spans, ...records } = await roleRecords(setup, settings.traceHops);
  context.onPhase('check');
  const requestOf = generatorOf(cell, repetition);
  const samples = requestSamples(load, requestOf, clientLinks(cell));
  const indexes = load.samples.index;
  const requestAt = (row: number) => requestOf(indexes[row] as number);
  const happened = planned
    ? await withExpected(planned.recordsOf(events), cell, job, Array.from(indexes, requestOf))
    : [];
  const changes = (planned?.rulesOf(happened) ?? []).map((each, i) => {
    return { ...each, graph: cell.changedRules?.[i] as Graph };
  });
  const check =
    changes.length > 0
      ? await checkedVersions(graph, changes, samples, requestAt, setup.keys)
      : await checkDecisions(graph, samples, requestAt, setup.keys);
  const measured = { load, host, hostIntervals, use, stats, windowUs, ...records };
  const scheduled = settings.load.driver === 'open' ? scheduleUs(job).length : undefined;
  const entry: Cell = assembleCell({ ...setup, ...measured, job, samples, check, scheduled, events: happened });
  const requests = settings.keepRequests ? Array.from(indexes, requestOf) : [];
  return { entry, samples, requests, spans, endedRoles: planned?.hasEnded ?? false };
}

/** Loaded only by an experiment whose rules change. */
const checkedVersions: typeof checkVersions = async (...parts) => {
  const { checkVersions } = await import('./check-versions.ts');
  return checkVersions(...parts);
};

/** Loaded only by an experiment with events. */
const withExpected = async (...parts: Parameters<typeof withExpectedLoss>): Promise<EventRecord[]> => {
  const { withExpectedLoss } = await import('./crash-model.ts');
  return withExpectedLoss(...parts);
};

/** Loaded only by an experiment with events. */
async function eventsOn({ cell, deployment, repetition }: RepetitionSetup) {
  if (cell.settings.events.length === 0) return undefined;
  const { DeploymentEvents } = await import('./load-events.ts');
  return new DeploymentEvents(cell, deployment, repetition);
}

/** The load of a cell on its gateways. @param urls in the order of the graph */
export function gatewayLoad({ settings, graph }: ExperimentCell, repetition: number, urls: readonly string[]): LoadJob {
  const entries = entriesOf(graph, urls);
  return loadJob({
    ...loadOf(settings),
    urls: [urls[0] + requestsPath],
    ...(entries && { entries: [entries] }),
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
