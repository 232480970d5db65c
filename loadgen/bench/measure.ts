/** One round of the bench: a server, a load, and the times by the server's truth and by a tool. */
import type { ArrivalLaw } from '@topo-bench/core/schema/experiment';
import { requestGenerator, scheduleUs } from '@topo-bench/workload';
import { driverNamed } from '../src/driver-named.ts';
import { startHiccupProbe } from '../src/host/hiccup-probe.ts';
import { launcherNamed } from '../src/launcher/launchers.ts';
import { type LoadJob, loadJob } from '../src/load-job.ts';
import { responseTimeUs, schedulerLagsUs } from '../src/samples.ts';
import type { KnownServer, ServerKind } from './known-server.ts';
import { mainThreadAlone } from './main-thread-alone.ts';
import { peerTruthUs } from './peer-truth.ts';
import { type Peer, warmUpSeconds } from './peers/peer.ts';
import type { PeerRound, Round } from './pooled-row.ts';
import { quantilesOf } from './quantiles.ts';
import type { RoundTripProbe } from './round-trip-probe.ts';
import { smallOrders } from './small-orders.ts';
import { trueResponseTimesUs } from './truth.ts';

/** What all rows share. */
export interface TestBed {
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

export interface OwnLoad extends Load {
  arrivals: ArrivalLaw;
  /** Decides over the schedule of its arrivals. */
  repetition: number;
  /** Next to other tools: with their privilege and warm-up. Otherwise with those of a run. */
  nextToOthers: boolean;
}

export async function measureDriver(testBed: TestBed, load: OwnLoad): Promise<Round> {
  const { server, rateRps, seconds, arrivals, repetition, nextToOthers } = load;
  const jobOf = (ofSeconds: number): LoadJob =>
    loadJob({
      urls: [server.url],
      request: smallOrders,
      repetition,
      durationUs: ofSeconds * 1e6,
      drainUs: 10e6,
      arrivals,
      rateRps,
      connections: 1,
      processes: 1,
      // The bench keeps the cores awake itself, for all tools alike.
      keepAwake: false,
    });
  const own = launcherNamed('processes', { workerPath: testBed.worker });
  const driver = driverNamed('open', nextToOthers ? mainThreadAlone(own) : own);
  // A fresh server compiles its code during the warm-up of each tool.
  if (nextToOthers) await driver.run(jobOf(warmUpSeconds));
  const job = jobOf(seconds);
  await server.begin();
  const sleeper = await startHiccupProbe();
  const result = await driver.run(job, undefined, {
    onStart: () => {
      sleeper.restart();
      testBed.roundTrips.begin();
    },
  });
  // Only now: the results of the probes would keep the last requests from the processor.
  const [slept, roundTrips] = [sleeper.stop(), await testBed.roundTrips.end()];
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
    fromSend: samples.doneUs.map((doneUs, row) =>
      Number.isNaN(doneUs) ? Number.POSITIVE_INFINITY : doneUs - (samples.sentUs[row] as number),
    ),
    error: measured.map((us, row) =>
      Math.abs(us - (trueOf.get(samples.index[row] as number) ?? Number.POSITIVE_INFINITY)),
    ),
    lag: schedulerLagsUs(samples),
    slept,
    roundTrips,
    generatorCores: result.generators.reduce((sum, { cpuUs, windowUs }) => sum + cpuUs / windowUs, 0),
  };
}

/** The same for another tool, by the server's log of the tool's own requests. */
export async function measurePeer(
  { folder }: TestBed,
  peer: Peer,
  { kind, server, rateRps, seconds }: Load,
): Promise<PeerRound> {
  const body = JSON.stringify(requestGenerator({ ...smallOrders, seed: 1, repetition: 1 })(0));
  // Little's law, with room for the requests of a stall.
  const connections = Math.ceil(10 + (rateRps * (kind.delayMs + kind.stallMs)) / 1e3);
  await server.begin();
  const sleeper = await startHiccupProbe();
  const { measured, requests } = await peer.run({ url: server.url, rateRps, seconds, body, connections, folder });
  const slept = sleeper.stop();
  const truth = peerTruthUs(await server.log(), requests, rateRps);
  return { name: peer.name, measured, truth: quantilesOf(truth), requests, slept };
}
