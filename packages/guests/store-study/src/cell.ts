/** The entry of `cells.json` for reads and writes: figures of a store, next to those of every study. */
import type { Sample } from '@topo-bench/core';
import type { ResourceUse } from '@topo-bench/core/schema/result';
import type { GroupUse } from '@topo-bench/loadgen';
import { hostFigures, processRecords } from '@topo-bench/measured';
import { cellOfSamples } from '@topo-bench/results';
import { serverAddress } from '@topo-bench/stores/servers/connection-strings';
import type { CallVerdict } from './check-item-calls.ts';
import type { DeployedStore, StoreMeasurement } from './measurement.ts';
import type { StoreEntry, StoreTrial } from './parts.ts';

export interface StoreRepetition extends StoreMeasurement {
  cell: StoreTrial;
  repetition: number;
  samples: readonly Sample[];
  /** Result of the check against the oracle. */
  check: CallVerdict;
  store: DeployedStore;
}

export function assembleStoreCell(measured: StoreRepetition): StoreEntry {
  const { cell, repetition, load, samples, check, use, processes, stats, host, deaths, warm } = measured;
  const { smallestDifference, maxErrorShare } = cell.settings.validity;
  const { driver, rate: rateRps } = cell.settings.load;
  const entry = cellOfSamples({
    source: 'measured',
    factors: cell.levels,
    repetition,
    load,
    samples,
    ...(driver === 'open' && { schedule: { rateRps, smallestDifference } }),
    withoutRtt: true,
    check,
    ...(check.unanswered !== undefined && { findings: { aftermath: [check.unanswered] } }),
    cpu: processes,
    resources: Object.fromEntries(
      Object.entries(use).map(([name, group]) => [name, { ...resourceUse(group), ...hostFigures(processes[name]) }]),
    ),
    host,
    maxErrorShare,
    deaths,
    warm,
    study: {
      processes: processRecords(processes, stats),
      deployment: measured.history,
    },
  });
  return { ...entry, persistence: persistence(measured) };
}

function resourceUse({ processes, cpuPercent, rssBytes, pssBytes }: GroupUse): ResourceUse {
  return { processes, cpuPercent, rssBytes, ...(pssBytes !== undefined && { pssBytes }) };
}

function persistence({ cell, load, samples, use, store }: StoreRepetition): NonNullable<StoreEntry['persistence']> {
  const { server, identity, prepared, options } = store;
  const operations: Record<string, number> = {};
  for (const { class: operation } of samples) operations[operation] = (operations[operation] ?? 0) + 1;
  const successes = samples.filter(
    ({ outcome, doneUs }) => outcome === 'completed' && (doneUs ?? 0) <= load.durationUs,
  );
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
