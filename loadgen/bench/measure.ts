/** One round of the bench: a server, a load, and the times by the server's truth, by our driver and by the other tools. */
import type { ArrivalLaw } from '@topo-bench/core/schema/experiment';
import { requestGenerator } from '@topo-bench/workload/requests';
import { startHiccupProbe } from '../src/host/hiccup-probe.ts';
import type { LoadJob } from '../src/load-job.ts';
import { openDriver } from '../src/open/driver.ts';
import { scheduleUs } from '../src/open/run-shard.ts';
import { responseTimeUs, schedulerLagsUs } from '../src/samples.ts';
import type { KnownServer, ServerKind } from './known-server.ts';
import type { Peer, PeerQuantiles } from './peers/peer.ts';
import type { Round } from './pooled-row.ts';
import type { RoundTripProbe } from './round-trip-probe.ts';
import { smallOrders } from './small-orders.ts';
import { trueResponseTimesUs } from './truth.ts';
import type { PeerFigures } from './verdict.ts';

/** What all rows share. */
export interface Bench {
  /** For files of the tools. */
  folder: string;
  /** Path of the bundled generator script. */
  worker: string;
  roundTrips: RoundTripProbe;
}

export interface Load {
  kind: ServerKind;
  server: KnownServer;
  rateRps: number;
  seconds: number;
}

/** @param load its repetition decides over the schedule of its arrivals */
export async function measureDriver(bench: Bench, load: Load & { arrivals: ArrivalLaw; repetition: number }): Promise<Round> {
  const { server, rateRps, seconds, arrivals, repetition } = load;
  const job: LoadJob = {
    urls: [server.url],
    request: smallOrders,
    seed: 1,
    repetition,
    durationUs: seconds * 1e6,
    drainUs: 10e6,
    arrivals,
    rateRps,
    connections: 1,
    processes: 1,
    inFlightCap: 8000,
    // The bench does, for all tools alike.
    keepAwake: false,
  };
  await server.begin();
  const sleeper = await startHiccupProbe();
  const result = await openDriver({ workerPath: bench.worker }).run(job, undefined, {
    onStart: () => {
      sleeper.restart();
      bench.roundTrips.begin();
    },
  });
  // Only now: what the probes hand over would keep the last requests from the processor.
  const [slept, roundTrips] = [sleeper.stop(), await bench.roundTrips.end()];
  const log = await server.log();
  const truth = trueResponseTimesUs(scheduleUs(job), result.startAtUs, log);
  const trueOf = new Map(Array.from(log.index, (index, row) => [index, truth[row] as number]));
  const { samples } = result;
  const measured = Float64Array.from(samples.index, (_, row) => responseTimeUs(samples, row));
  return {
    scheduled: samples.index.length,
    sent: result.sent,
    served: truth.length,
    truth,
    measured,
    error: measured.map((us, row) => Math.abs(us - (trueOf.get(samples.index[row] as number) ?? Number.POSITIVE_INFINITY))),
    lag: schedulerLagsUs(samples),
    slept,
    roundTrips,
    generatorCores: result.generators.reduce((sum, { cpuUs, windowUs }) => sum + cpuUs / windowUs, 0),
  };
}

export async function measurePeer({ folder }: Bench, peer: Peer, { kind, server, rateRps, seconds }: Load): Promise<PeerFigures> {
  const body = JSON.stringify(requestGenerator({ ...smallOrders, seed: 1, repetition: 1 })(0));
  // Little's law with room for what piles up during a stall.
  const connections = Math.ceil(10 + (rateRps * (kind.delayMs + kind.stallMs)) / 1e3);
  await server.begin();
  const measured: PeerQuantiles = await peer.run({ url: server.url, rateRps, seconds, body, connections, folder });
  await server.log();
  return { name: peer.name, measured };
}
