/**
 * The prediction of a cell: its state from demand alone, and for a stable cell the intervals of its quantiles.
 * Replications have independent seeds. Their medians are about normal, so the mean of these has Student's interval.
 */
import type { Prediction } from '@topo-bench/core/schema/result';
import type { Replication, SimulatedDeployment } from '@topo-bench/simulator';
import { mean, meanInterval, median, quantileOfSorted } from '@topo-bench/stats';
import type { SimulatedMachine } from '@topo-bench/study-kit/simulated-machine';
import type { ExperimentCell } from '@topo-bench/trial';
import { generatorOf } from '../measure-repetition.ts';
import { machineOf } from './simulated-load.ts';

/** Student's interval of fewer medians is wide, and not to be trusted where they are skew. */
const minReplications = 5;
/** Then the interval is what it is: four times as many would halve it. */
const maxReplications = 30;
const alpha = 0.05;
/** From this growth on, a cell has no steady state. */
const maxGrowth = 1.75;
/** Requests that state the share of each kind. */
const sampledRequests = 1000;

export class CellPredictor {
  readonly #known = new WeakMap<ExperimentCell, Prediction>();

  constructor(
    private readonly deployment: SimulatedDeployment,
    private readonly machine: SimulatedMachine,
  ) {}

  stateOf(cell: ExperimentCell): Prediction {
    const { settings } = cell;
    const { calibration, cluster } = this.machine;
    const requestOf = generatorOf(cell, 1);
    const requests = Array.from({ length: sampledRequests }, (_, index) => requestOf(index));
    const setup = {
      ...{ model: calibration.demand, ...machineOf(cell, this.machine), rateRps: settings.load.rate },
      ...{ servedBefore: settings.warmup.requests, durationUs: settings.duration },
    };
    return { ...(cluster && { cluster: cluster.name }), ...this.deployment.stability(setup, requests) };
  }

  /**
   * Adds the intervals of a stable cell. All repetitions of a cell have the same.
   * @param replicationOf the replication of that number, from 1
   */
  async withIntervals(
    cell: ExperimentCell,
    state: Prediction,
    replicationOf: (number: number) => Replication | Promise<Replication>,
  ): Promise<Prediction> {
    if (state.state !== 'stable') return state;
    const known = this.#known.get(cell);
    if (known) return known;
    // Events leave no steady state, so growth has another cause.
    const hasEvents = cell.settings.events.length > 0;
    const [medians, p95s, growths]: [number[], number[], number[]] = [[], [], []];
    for (;;) {
      const replication = await replicationOf(medians.length + 1);
      const us = replication.completedUs();
      medians.push(quantileOfSorted(us, 0.5));
      p95s.push(quantileOfSorted(us, 0.95));
      growths.push(growthOf(replication.requests));
      if (medians.length < minReplications) continue;
      const medianUs = meanInterval(medians, alpha);
      const [low, high] = medianUs;
      const isNarrow = high - low <= this.machine.precision * (high + low);
      if (!isNarrow && medians.length < maxReplications) continue;
      const replications = medians.length;
      const prediction: Prediction =
        !hasEvents && median(growths) > maxGrowth
          ? { ...state, state: 'near-capacity', replications }
          : { ...state, replications, ...intervals(medianUs, meanInterval(p95s, alpha)) };
      this.#known.set(cell, prediction);
      return prediction;
    }
  }
}

/**
 * RTT of the last quarter of the requests, as a multiple of that of the second one. A backlog that grows evenly has
 * 2.3. Limits of connections can leave a process idle while its queues grow.
 */
function growthOf({ count, openedUs, endedUs }: Replication['requests']): number {
  const meanUs = (from: number, to: number): number => {
    const us = endedUs.subarray(from, to).map((end, at) => end - (openedUs[from + at] as number));
    return mean(us.filter((value) => !Number.isNaN(value)));
  };
  const quarter = Math.floor(count / 4);
  return meanUs(3 * quarter, count) / meanUs(quarter, 2 * quarter);
}

/** None where requests never finished, or none completed. */
function intervals(medianUs: [number, number], p95Us: [number, number]): Pick<Prediction, 'medianUs' | 'p95Us'> {
  const isKnown = (interval: readonly number[]): boolean => interval.every(Number.isFinite);
  const positive = ([low, high]: [number, number]): [number, number] => [Math.max(0, low), high];
  return {
    ...(isKnown(medianUs) && { medianUs: positive(medianUs) }),
    ...(isKnown(p95Us) && { p95Us: positive(p95Us) }),
  };
}
