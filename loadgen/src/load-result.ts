/**
 * The result of a load driver: the raw samples of all its processes as one table, and facts about the generator itself.
 */
import type { ConnectionCounts, GeneratorRecord, LoadFacts } from '@topo-bench/core';
import type { GatewayResponse } from '@topo-bench/core/gateway-api';
import { summarise } from '@topo-bench/stats';
import { bodyOf } from './body-store.ts';
import type { ErrorExamples } from './error-kind.ts';
import type { TransferredShard } from './flight/transfer.ts';
import type { StartedShard } from './generator/generator.ts';
import type { ShardResult } from './generator/messages.ts';
import type { LoadJob } from './load-job.ts';
import { copyRow, emptySamples, isUnfinished, type Samples, schedulerLagsUs } from './samples.ts';

type LaterFacts = 'generatorRecords' | 'generatorHosts' | 'connections';

/** `inFlight.max` is the sum of the processes' maxima. */
export interface LoadResult extends Required<Omit<LoadFacts, LaterFacts>>, Pick<LoadFacts, LaterFacts> {
  /** Start of the load, on the clock of the coordinator's host. */
  startAtUs: number;
  /** In order of `index`; `sent` counts the requests that were sent. */
  samples: Samples;
  unfinished: number;
  errorExamples?: ErrorExamples;
  /** Records of a bulk transfer, in order of the streams' numbers. */
  transferred?: TransferredShard;
  /** Raw body of the answer of a row; kept for generated requests only. */
  body(row: number): Uint8Array | undefined;
}

/** What one generator did, where, and by which clock. */
export interface FinishedPart extends StartedShard, Pick<GeneratorRecord, 'name' | 'host' | 'clock'> {}

/** Joins the shards of a load. Only measured values depend on the number of processes. */
export function joinShards(
  job: LoadJob,
  shards: readonly FinishedPart[],
  start: Pick<LoadResult, 'startedAt' | 'startAtUs' | 'startErrorUs' | 'granted' | 'generatorHosts'>,
): LoadResult {
  const places = shards.flatMap(({ samples }, shard) =>
    Array.from(samples.index, (index, row) => ({ index, shard, row })),
  );
  places.sort((a, b) => a.index - b.index);
  const samples = emptySamples(places.length);
  const rows = places.map((_, row) => row);
  for (const [to, { shard, row }] of places.entries())
    copyRow((shards[shard] as ShardResult).samples, row, samples, to);
  const sent = rows.filter((row) => !Number.isNaN(samples.sentUs[row])).length;
  return {
    ...start,
    durationUs: job.durationUs,
    samples,
    sent,
    unfinished: rows.filter((row) => isUnfinished(samples, row)).length,
    inFlight: {
      max: shards.reduce((sum, { inFlightMax }) => sum + inFlightMax, 0),
      cap: job.inFlightCap,
      refused: samples.index.length - sent,
    },
    errorExamples: Object.assign({}, ...shards.map((shard) => shard.errorExamples).reverse()),
    generators: shards.map(({ use }) => use),
    generatorRecords: shards.map(recordOf),
    ...joinConnections(shards),
    ...joinTransferred(shards),
    body(row) {
      const place = places[row];
      const bodies = place && shards[place.shard]?.bodies;
      return bodies && bodyOf(bodies, place.row);
    },
  };
}

function recordOf({ name, host, clock, startLateUs, use, samples }: FinishedPart): GeneratorRecord {
  const lagsUs = schedulerLagsUs(samples);
  return {
    ...use,
    name,
    ...(host !== undefined && { host }),
    sent: lagsUs.length,
    schedulerLag: summarise(lagsUs),
    startLateUs,
    ...(clock && { clock }),
  };
}

function joinConnections(shards: readonly ShardResult[]): Pick<LoadResult, 'connections'> {
  const counts = shards.flatMap(({ connections }) => connections ?? []);
  return counts.length === 0 ? {} : { connections: sumOfConnections(counts) };
}

/** Connections of several processes, or to several servers. */
export function sumOfConnections(counts: readonly ConnectionCounts[]): ConnectionCounts {
  const sum = (name: keyof ConnectionCounts): number => counts.reduce((total, count) => total + count[name], 0);
  return { opened: sum('opened'), onDemand: sum('onDemand') };
}

function joinTransferred(shards: readonly ShardResult[]): Pick<LoadResult, 'transferred'> {
  const parts = shards.flatMap(({ transferred }) => transferred ?? []);
  if (parts.length === 0) return {};
  const streams = parts.flatMap((part) => part.streams).sort((a, b) => a.stream - b.stream);
  return { transferred: { warm: parts.every(({ warm }) => warm), streams } };
}

const utf8 = new TextDecoder();

/** The gateway's answer of a row, parsed on each call; undefined when no body was kept or it is not JSON. */
export function gatewayResponse(result: LoadResult, row: number): GatewayResponse | undefined {
  const bytes = result.body(row);
  if (!bytes) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes)) as GatewayResponse;
  } catch {
    return undefined;
  }
}
