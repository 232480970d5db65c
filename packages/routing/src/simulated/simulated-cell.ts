/** The entry of `cells.json` of a simulated repetition. Its figures mean what those of a measured one mean. */
import type { Sample } from '@topo-bench/core';
import type { Cell, ProcessRecord, ResourceUse } from '@topo-bench/core/schema/result';
import { cellOfSamples, requestClasses } from '@topo-bench/results';
import type { Replication } from '@topo-bench/simulator';
import type { ExperimentCell } from '@topo-bench/trial';
import type { DecisionCheck } from '../check-decisions.ts';

export interface SimulatedRepetition {
  cell: ExperimentCell;
  repetition: number;
  startedAt: Date;
  replication: Replication;
  samples: readonly Sample[];
  check: DecisionCheck;
  cores: number;
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
  const { cell, repetition, startedAt, replication, samples, check, cores } = simulated;
  const { requests, loadFigures } = replication;
  const { load, duration, validity } = cell.settings;
  const { maxErrorShare } = validity;
  const kinds = byKind(cell, replication);
  const windowUs = requests.doneUs.reduce((last, us) => (us > last ? us : last), duration);
  const resources = Object.entries(kinds).map(([kind, { cpuUs, busiestUs, processes }]) => {
    const use = { processes, cpuPercent: (100 * cpuUs) / windowUs, eventLoopUtilization: shareOf(busiestUs, windowUs) };
    return [kind, use] satisfies [string, ResourceUse];
  });
  // Generators and host are measured until the end of the load, without the drain.
  const generators = loadFigures.cpuUs.subarray(cell.plan.roles.length);
  const busyUs = sum(loadFigures.cpuUs) + sum(loadFigures.helperUs);
  // Without a schedule to judge: a generator that is late is part of the model, and no disturbance to repeat.
  const entry = cellOfSamples({
    ...{ source: 'simulated', factors: cell.levels, repetition, samples, check, maxErrorShare },
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
    host: { idlePercent: 100 * (1 - shareOf(busyUs, cores * duration)) },
    study: {
      processes: Object.fromEntries(Object.entries(kinds).map(([kind, { record }]) => [kind, record])),
      classes: requestClasses(samples, { deadlineUs: cell.graph.deadlines.requestUs }, samples.length),
    },
  });
  return { ...entry, offeredRps: load.rate };
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

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
