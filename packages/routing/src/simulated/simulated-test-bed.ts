/**
 * A simulated deployment under requests. Its repetitions have the requests, the schedule and the horizon of measured
 * ones, and the oracle checks them.
 */
import { setImmediate } from 'node:timers/promises';
import type { Sample } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import type { Prediction } from '@topo-bench/core/schema/result';
import { deliveryKeys, plannedHops } from '@topo-bench/deployment';
import { requestSample } from '@topo-bench/results';
import { plannedEvents, type Replication, SimulatedDeployment } from '@topo-bench/simulator';
import type { SimulatedMachine } from '@topo-bench/study-kit/simulated-machine';
import type { ExperimentCell, MeasureContext, MeasuredRepetition, TestBed } from '@topo-bench/trial';
import { checkDecisions } from '../check-decisions.ts';
import { checkVersions } from '../check-versions.ts';
import { clientLinks } from '../client-links.ts';
import { withExpectedLoss } from '../crash-model.ts';
import type { generatorOf } from '../measure-repetition.ts';
import { CellPredictor } from './predict-cell.ts';
import { simulatedCell, unsimulatedCell } from './simulated-cell.ts';
import { type SimulatedEvents, simulatedEvents } from './simulated-events.ts';
import { loadOf, machineOf } from './simulated-load.ts';

/** Nothing leaves the process, so the keys of digests and pseudonyms are no secret. */
const keys = deliveryKeys('simulated');
const hashing = keyedHashing(keys);

/** Messages between processes of an unstable cell, some seconds of simulation: by traces, and by live machines. */
const maxMessages = 3_000_000;
const maxLiveMessages = 100_000;

export class SimulatedTestBed implements TestBed {
  readonly #deployment: SimulatedDeployment;
  readonly #machine: SimulatedMachine;
  readonly #predictor: CellPredictor;

  private constructor(deployment: SimulatedDeployment, machine: SimulatedMachine) {
    this.#deployment = deployment;
    this.#machine = machine;
    this.#predictor = new CellPredictor(deployment, machine);
  }

  /** @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` */
  static async open(cell: ExperimentCell, machine: SimulatedMachine): Promise<SimulatedTestBed> {
    const { graph, plan, settings } = cell;
    const { seed, load } = settings;
    const options = { seed, inFlightCap: load.inFlightCap };
    const deployment = await SimulatedDeployment.of(graph, plan, options);
    // All repetitions have the same changes.
    await deployment.prepare(simulatedEvents(cell, 1)?.changes ?? []);
    return new SimulatedTestBed(deployment, machine);
  }

  async measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    const { graph, settings } = cell;
    context.signal.throwIfAborted();
    context.onPhase('load');
    const startedAt = new Date();
    const state = this.#predictor.stateOf(cell);
    const unsimulated = (prediction: Prediction): MeasuredRepetition => {
      const entry = unsimulatedCell({ cell, repetition, startedAt, prediction });
      return { entry, samples: [], requests: [], spans: [] };
    };
    if (state.state === 'near-capacity' || (state.state === 'unstable' && this.#isHuge(cell))) {
      return unsimulated(state);
    }
    const { scheduleUs: intendedUs, requestOf } = loadOf(cell, repetition);
    const planned = simulatedEvents(cell, repetition);
    const replication = await this.#replicate(cell, repetition, context, planned);
    const prediction = await this.#predictor.withIntervals(cell, state, (number) =>
      number === repetition ? replication : this.#replicate(cell, number, context, simulatedEvents(cell, number)),
    );
    if (prediction.state === 'near-capacity') return unsimulated(prediction);
    context.onPhase('check');
    const linkUs = clientLinks(cell);
    const samples = Array.from(intendedUs, (intended, row) => sampleOf(replication, intended, row, requestOf, linkUs));
    const load = { rateRps: settings.load.rate, durationUs: settings.duration };
    const sent = planned || settings.keepRequests ? samples.map((_, row) => requestOf(row)) : [];
    const events = planned ? withExpectedLoss(planned.records(), cell, load, sent) : [];
    const changes = planned?.checkedChanges(events) ?? [];
    const check =
      changes.length > 0
        ? await checkVersions(graph, changes, samples, requestOf, keys)
        : await checkDecisions(graph, samples, requestOf, keys);
    const { cluster } = machineOf(cell, this.#machine);
    const entry = simulatedCell({
      cell,
      repetition,
      startedAt,
      replication,
      samples,
      check,
      cluster,
      prediction,
      events,
    });
    return { entry, samples, requests: settings.keepRequests ? sent : [], spans: [] };
  }

  #replicate(
    cell: ExperimentCell,
    repetition: number,
    context: MeasureContext,
    planned: SimulatedEvents | undefined,
  ): Promise<Replication> {
    const setup = {
      ...{ model: this.#machine.calibration.demand, ...machineOf(cell, this.#machine) },
      ...loadOf(cell, repetition),
    };
    const events = planned && plannedEvents(planned);
    return this.#deployment.replicateWith({ ...setup, events }, async () => {
      await setImmediate();
      context.signal.throwIfAborted();
    });
  }

  /** An overload has an answer without a simulation that takes minutes. */
  #isHuge({ settings: { load, duration, drain, events }, graph, plan }: ExperimentCell): boolean {
    const messages = ((load.rate * duration) / 1e6) * plannedHops(graph, plan).perRequest;
    const isLive = events.length > 0 || this.#deployment.mayBeLive(duration + drain);
    return messages > (isLive ? maxLiveMessages : maxMessages);
  }

  async recover(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {}
}

function sampleOf(
  { requests, answerTo, failureOf }: Replication,
  intendedUs: number,
  row: number,
  requestOf: ReturnType<typeof generatorOf>,
  linkUs: ReturnType<typeof clientLinks>,
): Sample {
  const clientLinkUs = linkUs(requestOf(row));
  const answer = answerTo(row, hashing);
  const failure = requests.refused[row] === 1 ? 'in-flight-cap' : (failureOf(row) ?? null);
  const client = {
    intendedUs,
    sentUs: finite(requests.sentUs[row]),
    doneUs: failure === null ? finite(requests.doneUs[row]) : null,
    rttUs: answer?.response.rttUs ?? null,
    ...(clientLinkUs !== undefined && { clientLinkUs }),
    status: answer?.status ?? null,
    failure,
  };
  return requestSample(client, answer?.response, requestOf(row), row);
}

function finite(us: number | undefined): number | null {
  return us === undefined || Number.isNaN(us) ? null : us;
}
