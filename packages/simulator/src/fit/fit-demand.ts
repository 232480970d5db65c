/**
 * The demand model that explains measured cells. Costs of operations start from non-negative least squares on CPU time
 * by kind of role, where the engine itself counts operations; then all parameters that cells tell follow together from
 * RTT, CPU time and waits of simulated cells.
 */
import type { CellFigures, DemandModel } from '@topo-bench/core/schema/calibration';
import { type FitCell, figuresUnder } from './cell-figures.ts';
import { type Matrix, nonNegativeLeastSquares } from './linear-algebra.ts';
import {
  fittedParameters,
  type ModelParameter,
  modelAt,
  parameterValue,
  roleOperations,
  toScale,
  withValues,
} from './model-parameters.ts';
import { robustLeastSquares } from './robust-least-squares.ts';

export interface FitOptions {
  /** What is known before; its direct parameters, such as pauses, are not changed. */
  prior: DemandModel;
  engine: keyof DemandModel['decide'];
  /** Simulated requests per cell and step of the fit. */
  requests: number;
  iterations: number;
  /** Called after every simulation of all cells, e.g. to give other work its turn; rejects to end the fit. */
  onEvaluation?(done: number, of: number): Promise<void>;
}

export interface FittedDemand {
  model: DemandModel;
  parameters: readonly ModelParameter[];
  /** Values on the scale of each parameter, and their covariance. */
  scaled: readonly number[];
  covariance: Matrix;
}

/** @param cells at least one */
export async function fitDemand(cells: readonly FitCell[], options: FitOptions): Promise<FittedDemand> {
  const { prior, engine, requests, iterations, onEvaluation } = options;
  const parameters = fittedParameters(engine);
  const started = withOperationCosts(cells, prior);
  const scaledOf = (model: DemandModel): number[] =>
    parameters.map((parameter) => toScale(parameter, parameterValue(model, parameter.name)));
  const { at, covariance } = await robustLeastSquares({
    start: scaledOf(started),
    prior: scaledOf(prior),
    priorSd: parameters.map(({ priorSd }) => priorSd),
    residuals(scaled) {
      const model = modelAt(prior, parameters, scaled);
      return cells.flatMap((cell) => residualsOf(cell, figuresUnder(cell, model, requests)));
    },
    iterations,
    ...(onEvaluation && { onEvaluation }),
  });
  return { model: modelAt(prior, parameters, at), parameters, scaled: at, covariance };
}

/** Relative standard deviations of figures of two deployments of one cell on a quiet machine, and of the model. */
const spreads = { rtt: 0.06, p95: 0.12, cpu: 0.06, wait: 0.25 } as const;
/** From this share of busy cores on, chance decides about RTT more and more. */
const calmShare = 0.5;

/** Logarithms of predicted / measured in standard deviations; 0 for a figure that one of them lacks. */
function residualsOf({ measured, busyShare }: FitCell, predicted: CellFigures): number[] {
  const crowding = 1 + 6 * Math.max(0, busyShare - calmShare);
  const kinds = Object.keys(measured.cpuUsByKind);
  return [
    ...(['q1Us', 'medianUs', 'q3Us'] as const).map((name) =>
      ratio(predicted[name], measured[name], spreads.rtt * crowding),
    ),
    ratio(predicted.p95Us, measured.p95Us, spreads.p95 * crowding),
    ...kinds.map((kind) => ratio(predicted.cpuUsByKind[kind], measured.cpuUsByKind[kind], spreads.cpu)),
    ratio(predicted.waitUs, measured.waitUs, spreads.wait * crowding),
  ];
}

function ratio(predicted: number | undefined, measured: number | undefined, sd: number): number {
  if (!(predicted !== undefined && measured !== undefined && predicted > 0 && measured > 0)) return 0;
  const residual = Math.log(predicted / measured) / sd;
  return Number.isFinite(residual) ? residual : 0;
}

/** Requests that count operations: their kinds repeat. */
const counted = 50;
/** How much the costs before the fit weigh, compared with one equation. */
const priorWeight = 0.15;

/** The model with costs of operations by non-negative least squares on CPU time per request. */
function withOperationCosts(cells: readonly FitCell[], prior: DemandModel): DemandModel {
  const free = withValues(prior, freed);
  const rows: Matrix = [];
  const right: number[] = [];
  const before = roleOperations.map((name) => parameterValue(prior, `operations.${name}.us`));
  for (const cell of cells) {
    const counts = roleOperations.map((name) => {
      return figuresUnder(cell, withValues(free, { [`operations.${name}.us`]: 1 }), counted).cpuUsByKind;
    });
    const whole = figuresUnder(cell, prior, 300).cpuUsByKind;
    for (const [kind, measuredUs] of Object.entries(cell.measured.cpuUsByKind)) {
      if (measuredUs <= 0) continue;
      const row = counts.map((byKind) => byKind[kind] ?? 0);
      const plainUs = row.reduce((sum, count, i) => sum + count * (before[i] as number), 0);
      // What surrounds the operations: wake-ups, cold turns, pauses, other threads. As in the model before.
      const factor = (whole[kind] ?? 0) / plainUs;
      if (!(factor > 0 && Number.isFinite(factor))) continue;
      rows.push(row.map((count) => (count * factor) / measuredUs));
      right.push(1);
    }
  }
  if (rows.length === 0) return prior;
  const level = rows.length ** 0.5 * priorWeight;
  for (const [i, us] of before.entries()) {
    rows.push(before.map((_, j) => (i === j ? level / us : 0)));
    right.push(level);
  }
  const costs = nonNegativeLeastSquares(rows, right);
  const names = roleOperations.map((name, i) => {
    return [`operations.${name}.us`, Math.max((before[i] as number) / 10, costs[i] as number)];
  });
  return withValues(prior, Object.fromEntries(names));
}

/** A model in which nothing but the operations takes time. */
const freed: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    roleOperations.flatMap((name) => [`us`, `perKilobyteUs`].map((of) => [`operations.${name}.${of}`, 0])),
  ),
  ...{ 'decide.compiled.us': 0, 'decide.compiled.perRuleUs': 0 },
  ...{ 'decide.json-rules-engine.us': 0, 'decide.json-rules-engine.perRuleUs': 0 },
  ...{ 'wake.us': 0, 'wake.idleCoreUs': 0, 'noise.sigma': 0, 'cold.factor': 0, 'warmth.factor': 0 },
  ...{ 'pauses.collections.probability': 0, 'pauses.stops.probability': 0, 'helpers.share': 0 },
};
