/**
 * The entry of `cells.json` for requests through a deployment. Every figure comes from the process that measured it.
 */
import type { HostIntervals, RoleStats, RoleTimeline, Sample, TopoBenchError } from '@topo-bench/core';
import type { Cell, DeploymentHistory, EventRecord } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import type { LoadJob, LoadResult, ProcessUse } from '@topo-bench/loadgen';
import { processRecords, roleCpu, roleResources } from '@topo-bench/measured';
import {
  cellOfSamples,
  cellTimeline,
  classesFault,
  eventFailures,
  openServiceFlag,
  type Repetition,
  slowRequests,
  storedTimeline,
} from '@topo-bench/results';
import type { Deployment } from '@topo-bench/runners';
import type { ExperimentCell } from '@topo-bench/trial';
import type { DecisionCheck } from './check-decisions.ts';
import type { VersionCheck } from './check-versions.ts';
import { classifiedRequests } from './classified-requests.ts';

export interface RequestMeasurement extends Pick<Repetition, 'achievedRps' | 'answered' | 'findings'> {
  deployment: Pick<Deployment, 'roles'>;
  history: DeploymentHistory;
  cell: ExperimentCell;
  repetition: number;
  job: LoadJob;
  load: LoadResult;
  samples: readonly Sample[];
  check: DecisionCheck & Partial<VersionCheck>;
  /** Whether the warm-up settled. */
  warm: boolean;
  deaths: readonly TopoBenchError[];
  stats: readonly RoleStats[];
  windowUs: number;
  /** By kind of role; empty if the host cannot read it. */
  use: Readonly<Record<string, ProcessUse>>;
  pssBytesOf: ReadonlyMap<string, number>;
  host: HostUse | undefined;
  /** Default: no role has recorded anything, such as after the death of one. */
  timelines?: readonly RoleTimeline[];
  hostIntervals?: HostIntervals | undefined;
  /** Roles of the other cells, for cells that took turns. */
  otherTimelines?: readonly RoleTimeline[];
  /** Length of the whole load, with the turns of all cells. */
  wholeDurationUs?: number;
  /** For cells that took turns. */
  turns?: Cell['turns'];
  /** Requests of the schedule. Default: as many as samples. */
  scheduled?: number | undefined;
  /** Planned events of the load, in the order of the experiment. Default: none. */
  events?: readonly EventRecord[];
}

export function assembleCell({ cell, job, history, deployment, turns, ...measured }: RequestMeasurement): Cell {
  const { stats, windowUs, use, pssBytesOf } = measured;
  const { load, validity } = cell.settings;
  const { events = [], findings = {}, samples, check } = measured;
  const { stale, torn, staleness } = check;
  const { graph } = cell;
  const { classes, unplannedErrors, fields } = classifiedRequests(cell, {
    ...{ samples, events, durationUs: job.durationUs, scheduled: measured.scheduled ?? samples.length },
    repeated: new Set(stats.flatMap(({ repeated = [] }) => repeated)),
    ...(stale && { stale }),
    ...(torn && { torn }),
  });
  const fault = classesFault(classes);
  const openServices = stats.flatMap(({ name, uncheckedCall }) =>
    uncheckedCall ? [{ service: name, takes: uncheckedCall }] : [],
  );
  const flags = [...(findings.flags ?? []), ...(openServices.length > 0 ? [openServiceFlag] : [])];
  const reasons = [...(findings.reasons ?? []), ...eventFailures(events), ...(fault === undefined ? [] : [fault])];
  const { smallestDifference, maxErrorShare } = validity;
  return cellOfSamples({
    ...measured,
    source: 'measured',
    factors: cell.levels,
    ...(load.driver === 'open' && { schedule: { rateRps: job.rateRps, smallestDifference } }),
    maxErrorShare,
    cpu: roleCpu(stats, use),
    findings: { ...findings, reasons, flags },
    unplannedErrors,
    resources: roleResources(stats, windowUs, use, pssBytesOf),
    study: {
      processes: processRecords(use, stats),
      ...timelineOf({ job, turns, ...measured }),
      ...gatewayRecord(deployment),
      deployment: { ...history, ...(openServices.length > 0 && { openServices }) },
      ...(turns && { turns }),
      classes,
      ...(staleness && { staleness }),
      ...(graph.enforcement.failOpen && { undecided: check.undecided }),
      ...fields,
    },
  });
}

/** What happened when, and slow requests with their causes. */
function timelineOf({
  job,
  load,
  turns,
  timelines = [],
  otherTimelines = [],
  hostIntervals,
  samples,
  wholeDurationUs = job.durationUs,
}: Omit<RequestMeasurement, 'cell' | 'history' | 'deployment'>): Pick<Cell, 'timeline' | 'slow'> {
  const intervals = load.generators.flatMap((use) => use.intervals ?? []);
  const timeline = cellTimeline({
    startAtUs: load.startAtUs,
    durationUs: wholeDurationUs,
    turns: turns && { periodUs: (turns.sliceUs + turns.gapUs) * turns.levels, levels: turns.levels },
    roles: timelines,
    otherRoles: otherTimelines,
    generators: intervals.length === load.generators.length ? intervals : undefined,
    // A generator that is no process of this one, but reads the same clock, runs on this host.
    generatorsAreHere: (load.generatorRecords ?? []).every(({ host, clock }) => host === undefined || !clock),
    host: hostIntervals,
    samples,
  });
  const roles = new Map(timelines.map((role) => [role.name, role]));
  const slow = slowRequests(samples, timeline, (role) => roles.get(role));
  return { ...(timeline && { timeline: storedTimeline(timeline) }), ...(slow && { slow }) };
}

/** Empty if the runner cannot read it. */
function gatewayRecord({ roles }: RequestMeasurement['deployment']): Pick<Cell, 'gateway'> {
  const { goesFirst } = roles.find(({ kind }) => kind === 'gateway') ?? {};
  return goesFirst === undefined ? {} : { gateway: { priority: goesFirst } };
}
