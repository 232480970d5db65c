/** The entry of `cells.json` for the stream jobs of a repetition, with the verdict on their heat maps. */
import type { Sample } from '@topo-bench/core';
import { cellOfSamples } from '@topo-bench/results';
import { engines } from '@topo-bench/stores/engines';
import { wholeSample } from '@topo-bench/study-kit/whole-sample';
import type { JobOutcome } from './engine/job.ts';
import { tracksOf } from './input/recorded-tracks.ts';
import { tracksText } from './input/tracks-of-run.ts';
import { rateOf, reads } from './jobs/job-size.ts';
import type { StreamFigures, StreamMeasurement } from './measurement.ts';
import type { StreamEntry } from './parts.ts';
import type { Stream } from './settings-schema.ts';

export function assembleStreamCell(measured: StreamMeasurement): StreamEntry {
  const { cell, repetition, startedAt, fullSpeed, paced, checks, host } = measured;
  const figures = streamFigures(measured);
  const { engine, store } = figures.roles;
  const percentOf = (cpuUs: number): number => (100 * cpuUs) / fullSpeed.durationUs;
  const examples = [...checks, ...(isRecoveryWrong(measured) ? [measured.recovered.check] : [])].flatMap(
    (check) => check.examples,
  );
  const entry = cellOfSamples({
    source: 'measured',
    factors: cell.levels,
    repetition,
    load: { startedAt, durationUs: fullSpeed.durationUs, sent: 1, generators: [] },
    samples: [streamSample(fullSpeed.durationUs)],
    achievedRps: fullSpeed.pointsPerSecond,
    withoutRtt: true,
    check: { wrong: 0, examples: [] },
    figures: {
      responseTime: paced.endToEnd,
      decisions: { allow: 0, deny: 0, redact: 0, reroute: 0, wrong: figures.checked.wrong, byRule: {} },
    },
    resources: {
      ...(engine?.cpuUs !== undefined && {
        engine: { processes: 1, cpuPercent: percentOf(engine.cpuUs), rssBytes: engine.peakRssBytes ?? 0 },
      }),
      ...(store?.cpuUs !== undefined && {
        store: { cpuPercent: percentOf(store.cpuUs), rssBytes: store.rssBytes ?? 0 },
      }),
    },
    host,
    maxErrorShare: cell.settings.validity.maxErrorShare,
    findings: { reasons: examples.map((example) => `wrong: ${example}`) },
  });
  return { ...entry, stream: figures };
}

/** Without transactions, a resumed job may add crossings again, but it may not lose any. */
function isRecoveryWrong(
  measured: StreamMeasurement,
): measured is StreamMeasurement & { recovered: NonNullable<StreamMeasurement['recovered']> } {
  const { recovered, cell } = measured;
  if (!recovered) return false;
  const { wrong, lost } = recovered.check;
  return lost > 0 || (wrong > 0 && cell.settings.stream?.guarantee === 'exactly-once');
}

/** The job at full speed as one request. */
export function streamSample(durationUs: number): Sample {
  return wholeSample('job', 'heat-map', durationUs);
}

function streamFigures(measured: StreamMeasurement): StreamFigures {
  const { cell, database, address, fullSpeed, trials, sustainedPerSecond, paced, checks, storageBytes, server } =
    measured;
  const { recovered, writtenBytes } = measured;
  const stream = cell.settings.stream as Stream;
  const tracks = tracksOf(cell);
  const { job, guarantee, partitions, rowsPerWrite, cellLength, outOfOrder, grid, flushEvery } = stream;
  const recoveryWrong = isRecoveryWrong(measured) ? Math.max(1, measured.recovered.check.wrong) : 0;
  const sum = (figure: (check: (typeof checks)[number]) => number): number =>
    checks.reduce((total, check) => total + figure(check), 0);
  const peakRssBytes = Math.max(...[fullSpeed, ...trials, paced].map((job) => job.peakRssBytes));
  return {
    database,
    ...(stream.engine !== 'flink' && { client: engines[stream.database].client }),
    ...(address !== undefined && { address }),
    fullSpeed: runOf(fullSpeed),
    trials: trials.map(runOf),
    ...(sustainedPerSecond !== undefined && { sustainedPerSecond }),
    paced: runOf(paced),
    counts: Object.fromEntries(Object.entries(paced.counts).map(([operator, counts]) => [operator, [...counts]])),
    checked: {
      heatMaps: sum(({ heatMaps }) => heatMaps),
      ...(reads(job) && { answers: sum(({ answers }) => answers) }),
      cells: sum(({ cells }) => cells),
      wrong: sum(({ wrong, lateDifference }) => wrong + lateDifference) + recoveryWrong,
      lost: sum(({ lost }) => lost),
      duplicated: sum(({ duplicated }) => duplicated),
      late: [fullSpeed, ...trials, paced].reduce((total, { late }) => total + late, 0),
    },
    ...(recovered && { recovery: recoveryOf(recovered) }),
    ...(writtenBytes !== undefined && { writtenBytes }),
    storageBytes,
    roles: {
      engine: { cpuUs: fullSpeed.cpuUs, peakRssBytes },
      ...(server && { store: { cpuUs: server.cpuUs, rssBytes: server.rssBytes } }),
    },
    options: {
      guarantee,
      partitions,
      rowsPerWrite,
      cellLength,
      outOfOrderMs: outOfOrder / 1e3,
      rate: rateOf(stream),
      job,
      ...(tracks && job === 'generate' && { gpx: tracksText(tracks) }),
      ...(stream.engine === 'flink' && { checkpointEveryMs: stream.checkpointEvery / 1e3 }),
      ...(grid !== 'none' && { grid, flushEveryMs: flushEvery / 1e3 }),
    },
  };
}

function recoveryOf({ check, ...figures }: NonNullable<StreamMeasurement['recovered']>) {
  const { wrong, lost, duplicated } = check;
  return { ...figures, wrong, lost, duplicated };
}

function runOf({
  counts: _counts,
  answers: _answers,
  events: _events,
  cpuUs: _cpuUs,
  peakRssBytes: _peak,
  ...run
}: JobOutcome): StreamFigures['fullSpeed'] {
  return run;
}
