/** The entry of `cells.json` for a bulk transfer: rows, bytes and throughput, next to the figures of every study. */
import type { Sample } from '@topo-bench/core';
import type { DeploymentHistory, ResourceUse } from '@topo-bench/core/schema/result';
import type { StreamRecord } from '@topo-bench/loadgen/flight/transfer';
import { hostFigures, processRecords } from '@topo-bench/measured';
import { busiestGenerator, cellOfSamples, limits } from '@topo-bench/results';
import { summarise } from '@topo-bench/stats';
import { accessResult } from './access.ts';
import type { ServedTable } from './deployed-table.ts';
import type { TransferMeasurement } from './measurement.ts';
import type { TransferEntry, TransferTrial } from './parts.ts';
import type { TransferResult } from './payload-schema.ts';

export interface TransferRepetition extends TransferMeasurement {
  cell: TransferTrial;
  repetition: number;
  history: DeploymentHistory;
  /** In the order of the streams. */
  samples: readonly Sample[];
  served: ServedTable;
  /** Decisions, exposure, rows and values that differ from the oracle, with examples in words. */
  check: { wrong: number; examples: readonly string[] };
}

export function assembleTransferCell(measured: TransferRepetition): TransferEntry {
  const { cell, repetition, load, samples, use, processes, host, stats, deaths, check } = measured;
  const flight = transferResult(measured);
  const { service } = use;
  const entry = cellOfSamples({
    source: 'measured',
    factors: cell.levels,
    repetition,
    load,
    samples,
    achievedRps: (samples.length * 1e6) / flight.durationUs,
    withoutRtt: true,
    ...(stats && {
      figures: {
        decisions: { ...stats.decisions, wrong: check.wrong, byRule: stats.columns?.byRule ?? {} },
        exposureBytes: stats.columns?.exposureBytes ?? {},
      },
    }),
    check,
    cpu: processes,
    resources: service
      ? { service: { ...serviceUse(service, stats?.eventLoopUtilization), ...hostFigures(processes.service) } }
      : {},
    host,
    maxErrorShare: cell.settings.validity.maxErrorShare,
    deaths,
    warm: load.transferred?.warm ?? true,
    // Both ends of a transfer may be fully busy: that is a flag, not a fault.
    mayBeGeneratorBound: true,
    findings: {
      reasons: [...streamReasons(recordsOf(load)), ...rowReasons(measured, flight)],
      flags: isGeneratorBound(measured) ? ['generator-limited'] : [],
    },
    study: { processes: processRecords(processes, stats ? [stats] : []), deployment: measured.history },
  });
  return { ...entry, flight };
}

function isGeneratorBound({ load, stats }: TransferRepetition): boolean {
  const busiest = busiestGenerator(load.generators);
  return busiest > limits.generatorUtilization && busiest > (stats?.eventLoopUtilization ?? 0);
}

function serviceUse(
  { processes, cpuPercent, rssBytes, pssBytes }: TransferRepetition['use'][string],
  eventLoopUtilization: number | undefined,
): ResourceUse {
  return {
    processes,
    cpuPercent,
    rssBytes,
    ...(pssBytes !== undefined && { pssBytes }),
    ...(eventLoopUtilization !== undefined && { eventLoopUtilization: Math.min(1, eventLoopUtilization) }),
  };
}

function transferResult({ cell, load, samples, served, server, stats, use }: TransferRepetition): TransferResult {
  const records = recordsOf(load);
  const sum = (of: (record: StreamRecord) => number): number =>
    records.reduce((total, record) => total + of(record), 0);
  const ends = samples.map(({ doneUs }) => doneUs ?? load.durationUs);
  const durationUs = Math.max(1, ...ends) - Math.min(...samples.map(({ sentUs }) => sentUs ?? 0));
  const [rows, bytes] = [sum((record) => record.rows), sum((record) => record.bytes)];
  const { protocol = '', operation = '', streams = 0, batchRows = 0 } = cell.settings.flight ?? {};
  return {
    protocol,
    operation,
    server,
    streams,
    rows,
    bytes,
    batchRows,
    durationUs,
    // A byte per µs is a megabyte per second.
    megabytesPerSecond: bytes / durationUs,
    rowsPerSecond: (rows * 1e6) / durationUs,
    firstBatch: summarise(records.map(({ firstBatchUs }) => firstBatchUs).filter((us) => !Number.isNaN(us))),
    perStream: records.flatMap((record, at) => streamResult(record, samples[at])),
    checked: { values: sum(({ checked }) => checked), wrong: sum(({ wrong }) => wrong) },
    ...(served.rules !== undefined && { governed: { rules: served.rules, rows: stats?.columns?.rows ?? 0 } }),
    ...(cell.settings.flight &&
      served.table.flight && { access: accessResult(cell.settings.flight, served.table.flight) }),
    series: Object.fromEntries(Object.entries(use).map(([name, { series }]) => [name, series])),
  };
}

function streamResult(
  { rows, bytes, wireBytes }: StreamRecord,
  sample: Sample | undefined,
): TransferResult['perStream'] {
  if (!sample || sample.doneUs === null || sample.sentUs === null) return [];
  const durationUs = Math.max(1, sample.doneUs - sample.sentUs);
  const wire = wireBytes === undefined ? {} : { wireBytes };
  return [{ rows, bytes, durationUs, megabytesPerSecond: bytes / durationUs, ...wire }];
}

function* streamReasons(records: readonly StreamRecord[]): Generator<string> {
  const failed = records.find(({ error }) => error);
  if (failed?.error) yield `stream ${failed.stream}: ${failed.error.kind}: ${failed.error.message.split('\n')[0]}`;
  const wrong = records.reduce((sum, record) => sum + record.wrong, 0);
  const example = records.find(({ wrongExample }) => wrongExample !== undefined)?.wrongExample;
  if (wrong > 0) yield `${wrong} wrong ${wrong === 1 ? 'value' : 'values'}: ${example}`;
}

const undecided = { allow: 0, deny: 0, redact: 0, reroute: 0 };

/** Every row arrived or was refused by a rule; with enforcement, every row was decided. */
function* rowReasons(measured: TransferRepetition, { rows }: TransferResult): Generator<string> {
  const { cell, samples, stats, served, deaths } = measured;
  const { flight } = cell.settings;
  if (!flight || deaths.length > 0 || samples.some(({ outcome }) => outcome === 'error')) return;
  const asked = flight.rows * flight.streams;
  const { allow, deny, redact, reroute } = stats?.decisions ?? undecided;
  // The rows that a service keeps of an upload are unknown; it reports the rows that it received.
  const refused = flight.operation === 'put' ? 0 : deny + reroute;
  if (rows + refused !== asked)
    yield `${rows} of ${asked} rows arrived${refused > 0 ? `, ${refused} were refused` : ''}`;
  const decided = allow + deny + redact + reroute;
  if (served.rules !== undefined && decided !== asked) yield `${decided} of ${asked} rows were decided`;
}

function recordsOf({ transferred }: TransferRepetition['load']): readonly StreamRecord[] {
  return transferred?.streams ?? [];
}
