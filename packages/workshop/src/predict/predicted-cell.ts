/** A predicted cell: the figures of all replications so far, with intervals between replications. */
import { type BoxPlot, boxOf } from '@topo-bench/report/box-plot';
import { type Stability, stateOf } from '@topo-bench/simulator';
import { median, medianInterval, quantileOfSorted } from '@topo-bench/stats';
import type { ReplicationFigures } from './replicate.ts';

/** A median over the replications. The interval is absent below six replications. */
export interface Figure {
  value: number;
  interval?: [low: number, high: number];
}

/** `near-capacity`: the busiest part is so close to its limit that no quantile can be stated. */
export type State = Stability['state'];

/** A process or machine, and its share of busy time at the offered load: above 1 it cannot keep up. */
export interface Part {
  name: string;
  kind: 'process' | 'machine';
  busy: number;
  state: State;
}

export interface PredictedCell {
  architecture: string;
  replications: number;
  requests: number;
  state: State;
  /** The busiest part. */
  bottleneck: Part;
  /** About the rate at which the busiest part has no time left, req/s. */
  maxRate: number;
  /** In the order of the nodes, or one for all. */
  machines: Part[];
  /** µs; absent unless `stable`. */
  median?: Figure;
  p95?: Figure;
  /** Quantiles at 0, 1/200, …, 1 of all requests, µs. */
  quantilesUs?: number[];
  /** Box plot of all requests; absent unless `stable`. */
  box?: BoxPlot;
  unfinished: number;
  hops: number;
  hopsBetweenNodes: number;
  /** Share of requests that a rule refused. */
  refused: number;
  /** Per request, by category. */
  exposureBytes: Record<string, number>;
  /** Processor time of all roles per request, µs. */
  cpuUs: number;
}

export interface PartNames {
  processes: readonly string[];
  machines: readonly string[];
}

const quantileSteps = 200;
const alpha = 0.05;

export function predictedCell(
  architecture: string,
  rate: number,
  replications: readonly ReplicationFigures[],
  { processes, machines }: PartNames,
): PredictedCell {
  const mean = (of: (one: ReplicationFigures) => number): number =>
    replications.reduce((sum, one) => sum + of(one), 0) / replications.length;
  const parts = [
    ...processes.map((name, at) =>
      partOf(
        name,
        'process',
        mean(({ busy }) => busy[at] as number),
      ),
    ),
    ...machines.map((name, at) =>
      partOf(
        name,
        'machine',
        mean(({ machineBusy }) => machineBusy[at] as number),
      ),
    ),
  ];
  const bottleneck = parts.reduce((most, part) => (part.busy > most.busy ? part : most));
  const { state } = bottleneck;
  const pooled = Float64Array.from(replications.flatMap(({ rttUs }) => [...rttUs])).sort();
  const finite = pooled.filter(Number.isFinite);
  const quantile = (q: number): Figure => figureOf(replications.map(({ rttUs }) => quantileOfSorted(rttUs, q)));
  return {
    ...{ architecture, state, bottleneck },
    replications: replications.length,
    requests: pooled.length,
    maxRate: rate / bottleneck.busy,
    machines: parts.filter(({ kind }) => kind === 'machine'),
    ...(state === 'stable' && {
      median: quantile(0.5),
      p95: quantile(0.95),
      quantilesUs: Array.from({ length: quantileSteps + 1 }, (_, i) => quantileOfSorted(pooled, i / quantileSteps)),
      box: {
        ...boxOf([...finite], pooled.length - finite.length),
        repetitionMediansUs: replications.map(({ rttUs }) => quantileOfSorted(rttUs, 0.5)),
      },
    }),
    unfinished: pooled.length - finite.length,
    hops: mean(({ hops }) => hops),
    hopsBetweenNodes: mean(({ hopsBetweenNodes }) => hopsBetweenNodes),
    refused: mean(({ refused }) => refused),
    exposureBytes: meanByCategory(replications),
    cpuUs: mean(({ cpuUs }) => cpuUs),
  };
}

function partOf(name: string, kind: Part['kind'], busy: number): Part {
  return { name, kind, busy, state: stateOf(busy) };
}

export function figureOf(values: readonly number[]): Figure {
  const interval = medianInterval(values, alpha);
  return { value: median(values), ...(Number.isFinite(interval[0]) && { interval }) };
}

function meanByCategory(replications: readonly ReplicationFigures[]): Record<string, number> {
  const categories = new Set(replications.flatMap(({ exposureBytes }) => Object.keys(exposureBytes)));
  return Object.fromEntries(
    [...categories]
      .sort()
      .map((category) => [
        category,
        replications.reduce((sum, { exposureBytes }) => sum + (exposureBytes[category] ?? 0), 0) / replications.length,
      ]),
  );
}
