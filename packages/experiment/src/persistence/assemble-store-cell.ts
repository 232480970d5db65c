/** The entry of `cells.json` for a repetition of reads and writes: the study's four metrics, and whether it may be compared. */
import type { Cell, ResourceUse } from '@topo-bench/core/schema/result';
import { hostResources } from '@topo-bench/host';
import { type GroupUse, generatorUse, scheduleAdherence, validityOf } from '@topo-bench/loadgen';
import type { Sample } from '@topo-bench/results';
import { serverAddress } from '@topo-bench/stores/servers/connection-strings';
import type { ExperimentCell } from '../build-cell.ts';
import { countSamples } from '../count-samples.ts';
import { processRecords } from '../process-records.ts';
import { cpuPerRequest } from '../process-use.ts';
import { hostFigures } from '../role-usage.ts';
import { summariseSamples } from '../summarise-samples.ts';
import type { CallVerdict } from './check-item-calls.ts';
import type { DeployedStore, StoreMeasurement } from './store-bench.ts';

export interface StoreFacts extends StoreMeasurement {
  cell: ExperimentCell;
  repetition: number;
  samples: readonly Sample[];
  /** What the oracle found. */
  check: CallVerdict;
  store: DeployedStore;
}

export function assembleStoreCell(facts: StoreFacts): Cell {
  const { cell, repetition, load, samples, check, use, processes, stats, host } = facts;
  const open = cell.settings.load.driver === 'open';
  const counts = countSamples(samples, check.wrong);
  const summaries = { ...summariseSamples(samples), rtt: summariseSamples([]).rtt };
  const { completed, refused, error } = counts.outcomes;
  const achievedRps = (load.sent * 1e6) / load.durationUs;
  return {
    factors: cell.levels,
    repetition,
    source: 'measured',
    startedAt: load.startedAt.toISOString(),
    offeredRps: open ? cell.settings.load.rate : achievedRps,
    achievedRps,
    ...summaries,
    ...counts,
    cpuUsPerRequest: cpuPerRequest(processes, completed + refused + error),
    resources: {
      ...Object.fromEntries(
        Object.entries(use).map(([name, group]) => [name, { ...resourceUse(group), ...hostFigures(processes[name]) }]),
      ),
      generator: generatorUse(load),
      ...hostResources(host),
    },
    processes: processRecords(processes, stats),
    generator: load.granted,
    deployment: facts.history,
    persistence: persistence(facts),
    validity: validity(facts, counts, summaries),
  };
}

function resourceUse({ processes, cpuPercent, rssBytes, pssBytes }: GroupUse): ResourceUse {
  return { processes, cpuPercent, rssBytes, ...(pssBytes !== undefined && { pssBytes }) };
}

function persistence({ cell, load, samples, use, store }: StoreFacts): NonNullable<Cell['persistence']> {
  const { server, identity, prepared, options } = store;
  const operations: Record<string, number> = {};
  for (const { class: operation } of samples) operations[operation] = (operations[operation] ?? 0) + 1;
  const successes = samples.filter(({ outcome, doneUs }) => outcome === 'completed' && (doneUs ?? 0) <= load.durationUs);
  return {
    configuration: options.configuration,
    workload: cell.settings.persistence?.workload ?? '',
    server: {
      ...identity,
      origin: server.origin,
      source: server.source,
      ...(server.origin === 'connection-string' && { address: serverAddress(server.url) }),
      started: [...server.started],
    },
    rows: prepared.rows,
    poolSize: options.poolSize,
    reset: { method: prepared.method, ms: Math.round(prepared.resetMs), templateMs: Math.round(prepared.templateMs) },
    successRps: (successes.length * 1e6) / load.durationUs,
    operations,
    series: Object.fromEntries(Object.entries(use).map(([name, { series }]) => [name, series])),
  };
}

function validity(
  { cell, load, samples, check, warm, deaths, host }: StoreFacts,
  { outcomes, unfinished }: Pick<Cell, 'outcomes' | 'unfinished'>,
  { responseTime, schedulerLag }: Pick<Cell, 'responseTime' | 'schedulerLag'>,
): Cell['validity'] {
  const open = cell.settings.load.driver === 'open';
  const verdict = validityOf({
    ...(open && {
      schedule: scheduleAdherence(load.samples, load.durationUs),
      schedulerLag: { ...schedulerLag, smallestDifference: cell.settings.validity.smallestDifference },
      inFlight: load.inFlight,
      realTimePriority: load.granted.realTimePriority,
    }),
    medianRttUs: responseTime.medianUs,
    generatorUtilizations: load.generators.map(({ eventLoopUtilization }) => eventLoopUtilization),
    wrongDecisions: check.wrong,
    errors: outcomes.error,
    requests: samples.length,
    maxErrorShare: cell.settings.validity.maxErrorShare,
    deadRoles: deaths.map(({ message }) => message.split('\n')[0] as string),
    ...(host && { host }),
    warm,
    unfinished,
  });
  return check.examples.length === 0
    ? verdict
    : { ...verdict, reasons: [...verdict.reasons, `wrong: ${check.examples.join('; ')}`] };
}
