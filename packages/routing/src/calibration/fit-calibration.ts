/** The calibration that explains measured cells, with its errors on them and on cells that the fit has not seen. */
import type {
  Calibration,
  CalibrationFit,
  CellFigures,
  DemandModel,
  FitErrors,
  FittedCell,
} from '@topo-bench/core/schema/calibration';
import {
  figuresOf,
  fitDemand,
  loadOnCell,
  otherParameters,
  parameterValue,
  replicationUnder,
} from '@topo-bench/simulator/fit';
import { median } from '@topo-bench/stats';
import { withDirectParameters } from './direct-parameters.ts';
import type { MeasuredCell } from './measured-cell.ts';

export interface Measured {
  cell: MeasuredCell;
  heldOut: boolean;
}

export interface FitSettings {
  /** What is known before. */
  prior: DemandModel;
  machine: { cpuModel: string; cores: number; node: string };
  topoBench: string;
  /** Run folders. */
  runs: readonly string[];
  date: Date;
  requests: number;
  iterations: number;
  onEvaluation?: (done: number, of: number) => Promise<void>;
}

/** Use by other programs above which a calibration counts as disturbed. */
export const maxForeignPercent = 10;

/** @param measured at least one cell that is not held out */
export async function fitCalibration(measured: readonly Measured[], settings: FitSettings): Promise<Calibration> {
  const { prior, machine, topoBench, runs, date, requests, iterations, onEvaluation } = settings;
  const own = measured.filter(({ heldOut }) => !heldOut).map(({ cell }) => cell);
  const { model: start, names: direct } = withDirectParameters(own, prior);
  const engine = own[0]?.cell.graph.enforcement.engine ?? 'compiled';
  const fitted = await fitDemand(own, {
    ...{ prior: start, engine, requests, iterations },
    ...(onEvaluation && { onEvaluation }),
  });
  const { model } = fitted;
  const others = otherParameters.filter(({ name }) => {
    return !fitted.parameters.some((parameter) => parameter.name === name) && parameterValue(model, name) > 0;
  });
  const variances = others.map(({ name, priorSd }) => (direct.has(name) ? 0.5 : 1) * priorSd ** 2);
  const parameters: CalibrationFit['parameters'] = [
    ...fitted.parameters.map(({ name, priorSd }, i) => {
      const logSd = Math.sqrt(fitted.covariance[i]?.[i] ?? 0);
      // Hardly narrower than before: the cells said nothing.
      const source = logSd > 0.85 * priorSd ? ('assumed' as const) : ('fitted' as const);
      return { name, value: parameterValue(model, name), logSd, source };
    }),
    ...others.map(({ name }, i) => {
      const source = direct.has(name) ? ('direct' as const) : ('assumed' as const);
      return { name, value: parameterValue(model, name), logSd: Math.sqrt(variances[i] as number), source };
    }),
  ];
  const cells = measured.map(({ cell, heldOut }) => fittedCell(cell, heldOut, model));
  const seen = cells.filter(({ heldOut }) => !heldOut);
  // Held-out cells count too: disturbed ones would be published as errors of the fit.
  const foreignPercent = Math.max(0, ...cells.map((cell) => cell.foreignPercent ?? 0));
  return {
    apiVersion: 'topo-bench/v1',
    kind: 'Calibration',
    name: nameOf(machine),
    machine: `${machine.cpuModel} with Node.js ${machine.node}`,
    cores: machine.cores,
    assumed: false,
    demand: model,
    fit: {
      ...{ cpuModel: machine.cpuModel, node: machine.node, topoBench, date: date.toISOString(), runs: [...runs] },
      quietness: {
        ...{ foreignPercent, stolenPercent: Math.max(0, ...cells.map((cell) => cell.stolenPercent ?? 0)) },
        disturbed: foreignPercent > maxForeignPercent,
      },
      parameters,
      covariance: blockDiagonal(fitted.covariance, variances),
      range: {
        hops: rangeOf(seen.map(({ hops }) => hops)),
        turnsPerSecond: rangeOf(seen.map(({ turnsPerSecond }) => turnsPerSecond)),
        busyShare: rangeOf(seen.map(({ busyShare }) => busyShare)),
      },
      cells,
      fitErrors: errorsOf(seen),
      heldOutErrors: errorsOf(cells.filter(({ heldOut }) => heldOut)),
    },
  };
}

/** Requests of a cell for the figures that are stored. */
const shownRequests = 4000;

function fittedCell(cell: MeasuredCell, heldOut: boolean, model: DemandModel): FittedCell {
  const { entries, cores, measured, foreignPercent, stolenPercent } = cell;
  const replication = replicationUnder(cell, model, shownRequests);
  const [first] = entries;
  return {
    ...{ factors: first?.factors ?? {}, cores, heldOut, repetitions: entries.length },
    ...{ rateRps: cell.cell.settings.load.rate, hops: first?.hops.perRequest ?? 0 },
    ...{ ...loadOnCell(cell, replication), foreignPercent, stolenPercent },
    ...{ measured, predicted: figuresOf(cell.deployment, replication) },
  };
}

/** Medians over cells. */
function errorsOf(cells: readonly Pick<FittedCell, 'measured' | 'predicted'>[]): FitErrors {
  if (cells.length === 0) return { cells: 0 };
  const percent = (of: (figures: CellFigures) => number): number => {
    return median(cells.map(({ measured, predicted }) => 100 * Math.abs(of(predicted) / of(measured) - 1)));
  };
  return {
    cells: cells.length,
    medianPercent: percent(({ medianUs }) => medianUs),
    p95Percent: percent(({ p95Us }) => p95Us),
    cpuPercent: percent(({ cpuUs }) => cpuUs),
  };
}

function rangeOf(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function blockDiagonal(block: readonly (readonly number[])[], variances: readonly number[]): number[][] {
  const size = block.length + variances.length;
  return Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (__, j) => {
      if (i < block.length && j < block.length) return block[i]?.[j] as number;
      return i === j ? (variances[i - block.length] as number) : 0;
    }),
  );
}

/** As names of files are: `intel-xeon-2-cores-node-20`. */
function nameOf({ cpuModel, cores, node }: FitSettings['machine']): string {
  const words = cpuModel.toLowerCase().replace(/\(r\)|\(tm\)|cpu|@.*$/g, ' ');
  const model = words
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return `${model || 'machine'}-${cores}-${cores === 1 ? 'core' : 'cores'}-node-${node.split('.')[0]}`;
}
