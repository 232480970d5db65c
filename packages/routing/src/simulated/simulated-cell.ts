/** The entry of `cells.json` of a simulated repetition. Its figures mean what those of a measured one mean. */
import { predictionSentence, type Sample } from '@topo-bench/core';
import type { Cell, EventRecord, Prediction, ProcessRecord, ResourceUse } from '@topo-bench/core/schema/result';
import { cellOfSamples, eventFailures, withReasons } from '@topo-bench/results';
import type { Cluster, Replication } from '@topo-bench/simulator';
import type { ExperimentCell } from '@topo-bench/trial';
import type { DecisionCheck } from '../check-decisions.ts';
import type { VersionCheck } from '../check-versions.ts';
import { classifiedRequests } from '../classified-requests.ts';

export interface SimulatedRepetition {
  cell: ExperimentCell;
  repetition: number;
  startedAt: Date;
  replication: Replication;
  samples: readonly Sample[];
  check: DecisionCheck & Partial<VersionCheck>;
  cluster: Cluster;
  prediction: Prediction;
  events: readonly EventRecord[];
}

/** The processes of one kind. */
interface OfKind {
  cpuUs: number;
  /** Highest use of an event loop, µs. */
  busiestUs: number;
  record: ProcessRecord & { roles: NonNullable<ProcessRecord['roles']> };
  processes: number;
}

export function simulatedCell(simulated: SimulatedRepetition): Cell {
  const { cell, repetition, startedAt, replication, samples, check, cluster, prediction, events } = simulated;
  const { requests, loadFigures, hosts } = replication;
  const { load, duration, validity } = cell.settings;
  const { maxErrorShare } = validity;
  const { stale, torn, staleness } = check;
  const kinds = byKind(cell, replication);
  const { classes, unplannedErrors, fields } = classifiedRequests(cell, {
    ...{ samples, events, durationUs: duration, scheduled: samples.length, repeated: new Set() },
    ...(stale && { stale }),
    ...(torn && { torn }),
  });
  const windowUs = requests.doneUs.reduce((last, us) => (us > last ? us : last), duration);
  const resources = Object.entries(kinds).map(([kind, { cpuUs, busiestUs, processes }]) => {
    const use = { processes, cpuPercent: (100 * cpuUs) / windowUs, eventLoopUtilization: shareOf(busiestUs, windowUs) };
    return [kind, use] satisfies [string, ResourceUse];
  });
  // Generators and host are measured until the end of the load, without the drain.
  const generators = loadFigures.cpuUs.subarray(cell.plan.roles.length);
  const busiest = cluster.hosts.map(({ cores }, host) => {
    const busyUs = loadFigures.cpuUs.reduce((sum, us, process) => {
      return hosts[process] === host ? sum + us + (loadFigures.helperUs[process] as number) : sum;
    }, 0);
    return shareOf(busyUs, cores * duration);
  });
  // Without a schedule to judge: a generator that is late is part of the model, and no disturbance to repeat.
  const entry = cellOfSamples({
    ...{ source: 'simulated', factors: cell.levels, repetition, samples, check, maxErrorShare, unplannedErrors },
    findings: { reasons: eventFailures(events) },
    load: {
      ...{ startedAt, durationUs: duration, sent: samples.filter(({ sentUs }) => sentUs !== null).length },
      inFlight: {
        max: requests.inFlightMax,
        cap: replication.inFlightCap,
        refused: samples.filter(({ error }) => error === 'in-flight-cap').length,
      },
      generators: Array.from(generators, (cpuUs) => {
        return { windowUs: duration, cpuUs, eventLoopUtilization: shareOf(cpuUs, duration), rssBytes: 0 };
      }),
    },
    cpu: Object.fromEntries(Object.entries(kinds).map(([kind, { cpuUs }]) => [kind, { cpuUs }])),
    resources: Object.fromEntries(resources),
    host: { idlePercent: 100 * (1 - Math.max(...busiest)) },
    study: {
      processes: Object.fromEntries(Object.entries(kinds).map(([kind, { record }]) => [kind, record])),
      classes,
      ...(staleness && { staleness }),
      ...fields,
      ...(cell.graph.enforcement.failOpen && { undecided: check.undecided }),
    },
  });
  return { ...entry, offeredRps: load.rate, prediction };
}

/** A cell whose quantiles would depend on chance, or on the length of the load: its prediction is the answer. */
export function unsimulatedCell({
  cell,
  repetition,
  startedAt,
  prediction,
}: Pick<SimulatedRepetition, 'cell' | 'repetition' | 'startedAt' | 'prediction'>): Cell {
  const { load, duration, validity } = cell.settings;
  const entry = cellOfSamples({
    ...{ source: 'simulated', factors: cell.levels, repetition, samples: [], maxErrorShare: validity.maxErrorShare },
    load: { startedAt, durationUs: duration, sent: 0, generators: [] },
  });
  const why = [{ kind: 'study' as const, text: predictionSentence(prediction) }];
  return { ...entry, offeredRps: load.rate, prediction, validity: withReasons({ flags: [], overload: true }, why) };
}

/** At most 1: a turn counts as a whole, also where it ends later. */
function shareOf(us: number, ofUs: number): number {
  return Math.min(1, us / ofUs);
}

function byKind({ plan }: ExperimentCell, { figures }: Replication): Record<string, OfKind> {
  const kinds: Record<string, OfKind> = {};
  for (const [process, { kind, name }] of plan.roles.entries()) {
    const ownUs = figures.cpuUs[process] as number;
    kinds[kind] ??= { cpuUs: 0, busiestUs: 0, processes: 0, record: { roles: {} } };
    const known = kinds[kind];
    known.cpuUs += ownUs + (figures.helperUs[process] as number);
    known.busiestUs = Math.max(known.busiestUs, ownUs);
    known.processes++;
    known.record.roles[name] = {
      turns: figures.turns[process] as number,
      wait: { mainThreadUs: Math.round(figures.waitUs[process] as number), otherThreadsUs: 0 },
    };
  }
  return kinds;
}
