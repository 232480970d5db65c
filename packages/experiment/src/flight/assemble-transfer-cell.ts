/** The entry of `cells.json` for a repetition of a bulk transfer: what was moved how fast, what it cost, and whether it may be compared. */
import type { Cell, ResourceUse, TransferResult } from '@topo-bench/core/schema/result';
import { hostResources } from '@topo-bench/host';
import { generatorUse, limits, type StreamRecord, validityOf } from '@topo-bench/loadgen';
import type { Sample } from '@topo-bench/results';
import { summarise } from '@topo-bench/stats';
import type { ExperimentCell } from '../build-cell.ts';
import { countSamples } from '../count-samples.ts';
import { processRecords } from '../process-records.ts';
import { cpuPerRequest } from '../process-use.ts';
import { hostFigures } from '../role-usage.ts';
import { summariseSamples } from '../summarise-samples.ts';
import { accessResult } from './transfer-access.ts';
import type { ServedTable, TransferMeasurement } from './transfer-bench.ts';

export interface TransferFacts extends TransferMeasurement {
  cell: ExperimentCell;
  repetition: number;
  /** In the order of the streams. */
  samples: readonly Sample[];
  served: ServedTable;
  /** Decisions that the oracle refutes, and rows and values that are other than what the right ones leave. */
  wrong: number;
}

export function assembleTransferCell(facts: TransferFacts): Cell {
  const { cell, repetition, load, samples, use, host, stats } = facts;
  const flight = transferResult(facts);
  const counts = countSamples(samples, 0);
  const perSecond = (samples.length * 1e6) / flight.durationUs;
  const { service } = use;
  const answered = counts.outcomes.completed + counts.outcomes.error;
  return {
    factors: cell.levels,
    repetition,
    source: 'measured',
    startedAt: load.startedAt.toISOString(),
    offeredRps: perSecond,
    achievedRps: perSecond,
    ...summariseSamples(samples),
    rtt: summariseSamples([]).rtt,
    ...counts,
    ...(stats && {
      decisions: { ...counts.decisions, ...stats.decisions, wrong: facts.wrong, byRule: stats.columns?.byRule ?? {} },
      exposureBytes: stats.columns?.exposureBytes ?? {},
    }),
    cpuUsPerRequest: cpuPerRequest(facts.processes, answered),
    resources: {
      ...(service && {
        service: { ...serviceUse(service, stats?.eventLoopUtilization), ...hostFigures(facts.processes.service) },
      }),
      generator: generatorUse(load),
      ...hostResources(host),
    },
    processes: processRecords(facts.processes, stats ? [stats] : []),
    flight,
    validity: validity(facts, flight),
  };
}

function serviceUse(
  { processes, cpuPercent, rssBytes, pssBytes }: TransferFacts['use'][string],
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

function transferResult({ cell, load, samples, served, stats, use }: TransferFacts): TransferResult {
  const records = recordsOf(load);
  const sum = (of: (record: StreamRecord) => number): number => records.reduce((total, record) => total + of(record), 0);
  const ends = samples.map(({ doneUs }) => doneUs ?? load.durationUs);
  const durationUs = Math.max(1, ...ends) - Math.min(...samples.map(({ sentUs }) => sentUs ?? 0));
  const [rows, bytes] = [sum((record) => record.rows), sum((record) => record.bytes)];
  const { protocol = '', operation = '', streams = 0, batchRows = 0 } = cell.settings.flight ?? {};
  return {
    protocol,
    operation,
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
    ...(cell.settings.flight && served.table.flight && { access: accessResult(cell.settings.flight, served.table.flight) }),
    series: Object.fromEntries(Object.entries(use).map(([name, { series }]) => [name, series])),
  };
}

function streamResult({ rows, bytes, wireBytes }: StreamRecord, sample: Sample | undefined): TransferResult['perStream'] {
  if (!sample || sample.doneUs === null || sample.sentUs === null) return [];
  const durationUs = Math.max(1, sample.doneUs - sample.sentUs);
  const wire = wireBytes === undefined ? {} : { wireBytes };
  return [{ rows, bytes, durationUs, megabytesPerSecond: bytes / durationUs, ...wire }];
}

function validity(facts: TransferFacts, flight: TransferResult): Cell['validity'] {
  const { cell, load, samples, deaths, host, stats } = facts;
  const verdict = validityOf({
    medianRttUs: Number.NaN,
    // Both sides of a transfer may be busy all the time: that is a flag.
    generatorUtilizations: [],
    wrongDecisions: facts.wrong,
    errors: samples.filter(({ outcome }) => outcome === 'error').length,
    requests: samples.length,
    maxErrorShare: cell.settings.validity.maxErrorShare,
    deadRoles: deaths.map(({ message }) => message.split('\n')[0] as string),
    ...(host && { host }),
    warm: load.transferred?.warm ?? true,
    unfinished: 0,
  });
  const reasons = [...verdict.reasons, ...streamReasons(recordsOf(load)), ...rowReasons(facts, flight)];
  const busiest = generatorUse(load).eventLoopUtilization ?? 0;
  const isLimit = busiest > limits.generatorUtilization && busiest > (stats?.eventLoopUtilization ?? 0);
  return { valid: reasons.length === 0, reasons, flags: [...verdict.flags, ...(isLimit ? ['generator-limited'] : [])] };
}

function* streamReasons(records: readonly StreamRecord[]): Generator<string> {
  const failed = records.find(({ error }) => error);
  if (failed?.error) yield `stream ${failed.stream}: ${failed.error.kind}: ${failed.error.message.split('\n')[0]}`;
  const wrong = records.reduce((sum, record) => sum + record.wrong, 0);
  const example = records.find(({ wrongExample }) => wrongExample !== undefined)?.wrongExample;
  if (wrong > 0) yield `${wrong} wrong ${wrong === 1 ? 'value' : 'values'}: ${example}`;
}

/** Every row arrived or was refused by a rule, and every one was decided where rules are in force. */
function* rowReasons({ cell, samples, stats, served }: TransferFacts, { rows }: TransferResult): Generator<string> {
  const { flight } = cell.settings;
  if (!flight || !stats || samples.some(({ outcome }) => outcome === 'error')) return;
  const asked = flight.rows * flight.streams;
  const { allow, deny, redact, reroute } = stats.decisions;
  // What a service passes of an upload is not seen; that it took all of it is.
  const refused = flight.operation === 'put' ? 0 : deny + reroute;
  if (rows + refused !== asked) yield `${rows} of ${asked} rows arrived${refused > 0 ? `, ${refused} were refused` : ''}`;
  const decided = allow + deny + redact + reroute;
  if (served.rules !== undefined && decided !== asked) yield `${decided} of ${asked} rows were decided`;
}

function recordsOf({ transferred }: TransferFacts['load']): readonly StreamRecord[] {
  return transferred?.streams ?? [];
}
