/**
 * A simulated deployment under requests. Its repetitions have the requests, the schedule and the horizon of measured
 * ones, and the oracle checks them.
 */
import { setImmediate } from 'node:timers/promises';
import type { Sample } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { deliveryKeys } from '@topo-bench/deployment';
import { processesFor } from '@topo-bench/loadgen';
import { requestSample } from '@topo-bench/results';
import { type Replication, SimulatedDeployment } from '@topo-bench/simulator';
import type { ExperimentCell, MeasureContext, MeasuredRepetition, TestBed } from '@topo-bench/trial';
import { scheduleUs } from '@topo-bench/workload';
import { checkDecisions } from '../check-decisions.ts';
import { generatorOf } from '../measure-repetition.ts';
import { simulatedCell } from './simulated-cell.ts';

/** Nothing leaves the process, so the keys of digests and pseudonyms are no secret. */
const keys = deliveryKeys('simulated');
const hashing = keyedHashing(keys);

export class SimulatedTestBed implements TestBed {
  readonly #deployment: SimulatedDeployment;
  readonly #calibration: Calibration;

  private constructor(deployment: SimulatedDeployment, calibration: Calibration) {
    this.#deployment = deployment;
    this.#calibration = calibration;
  }

  /** @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` */
  static async open({ graph, plan, settings }: ExperimentCell, calibration: Calibration): Promise<SimulatedTestBed> {
    const { seed, load } = settings;
    const options = { seed, inFlightCap: load.inFlightCap };
    return new SimulatedTestBed(await SimulatedDeployment.of(graph, plan, options), calibration);
  }

  async measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    const { graph, settings } = cell;
    const { load, duration: durationUs, drain: drainUs, seed, warmup } = settings;
    const { demand, cores } = this.#calibration;
    context.signal.throwIfAborted();
    context.onPhase('load');
    const startedAt = new Date();
    const schedule = { arrivals: load.arrivals, rateRps: load.rate, durationUs, seed, repetition, urls: [''] };
    const intendedUs = scheduleUs(schedule);
    const requestOf = generatorOf(cell, repetition);
    const setup = {
      ...{ model: demand, cluster: { hosts: [{ cores, speed: 1 }], hostOfNode: graph.nodes.map(() => 0) } },
      ...{ scheduleUs: intendedUs, requestOf, repetition, durationUs, drainUs, servedBefore: warmup.requests },
      generators: load.generators * (load.processes ?? processesFor(load.rate, cores)),
    };
    const replication = await this.#deployment.replicateWith(setup, async () => {
      await setImmediate();
      context.signal.throwIfAborted();
    });
    context.onPhase('check');
    const samples = Array.from(intendedUs, (intended, row) => sampleOf(replication, intended, row, requestOf));
    const check = await checkDecisions(graph, samples, requestOf, keys);
    const entry = simulatedCell({ cell, repetition, startedAt, replication, samples, check, cores });
    const requests = settings.keepRequests ? samples.map((_, row) => requestOf(row)) : [];
    return { entry, samples, requests, spans: [] };
  }

  async recover(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {}
}

function sampleOf(
  { requests, answerTo }: Replication,
  intendedUs: number,
  row: number,
  requestOf: ReturnType<typeof generatorOf>,
): Sample {
  const answer = answerTo(row, hashing);
  const client = {
    intendedUs,
    sentUs: finite(requests.sentUs[row]),
    doneUs: finite(requests.doneUs[row]),
    rttUs: answer?.response.rttUs ?? null,
    status: answer?.status ?? null,
    failure: requests.refused[row] === 1 ? 'in-flight-cap' : null,
  };
  return requestSample(client, answer?.response, requestOf(row), row);
}

function finite(us: number | undefined): number | null {
  return us === undefined || Number.isNaN(us) ? null : us;
}
