/**
 * Which assumption moves a simulated answer most. Each one is varied alone, down and up by the same factor, and every
 * variation is simulated with the same requests. The answer is the difference of two options in the median.
 */
import { isEnforced, TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Cell } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import { simulatedBackend } from '@topo-bench/studies/simulated-backend';
import type { Graph } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';

/** `assumed`, `fitted` and `direct` are figures of the calibration; `stated` ones are in the files. */
export type AssumptionSource = 'assumed' | 'fitted' | 'direct' | 'stated';

/** The difference of both options in %: the median, and by repetition. */
export interface AnswerFigure {
  /** NaN where a side has no figure. */
  percent: number;
  percents: readonly number[];
  /** Why there is no figure, e.g. `near-capacity`. */
  state?: string;
}

export interface AssumptionEffect {
  /** Path in `demand` of the calibration, or `rate`, `work`, `link delay`. */
  name: string;
  source: AssumptionSource;
  value: number;
  /** The answer with the assumption times 1 / `factor` and times `factor`. */
  lower: AnswerFigure;
  higher: AnswerFigure;
  /** Difference of both answers, median over the repetitions, in percentage points. */
  moves: number;
  /** The answer moves in one direction in every repetition; else it may be noise. */
  agrees: boolean;
  /** In every repetition of one variation, the other option is the faster one. */
  overturns: boolean;
}

export interface AssumptionsAnswer {
  option: string;
  against: string;
  factor: number;
  repetitions: number;
  base: AnswerFigure;
  /** First those that agree; the one that moves the answer most comes first. */
  effects: AssumptionEffect[];
}

export interface AssumptionOptions {
  repetitions: number;
  signal: AbortSignal;
  onProgress?: (done: number, all: number) => void;
}

/** Each assumption times this, and divided by it. */
const factor = 1.25;
/** Repetitions are compared, not the interval of each, whose replications would take most of the time. */
export const anyPrecision = 1;
/** Fewer repetitions move in one direction by chance too often: six do in one of 32 cases. */
export const fewestRepetitions = 6;

interface Variation {
  name: string;
  source: AssumptionSource;
  value: number;
  /** Default: as given. */
  calibration?(times: number): Calibration;
  /** Default: as given. */
  cell?(cell: ExperimentCell, times: number): ExperimentCell;
}

/**
 * @param cells with two options or more; the two with the lowest medians are compared
 * @throws TopoBenchError `TB_USAGE` for fewer, `TB_SIMULATE_UNSUPPORTED`, `TB_INTERRUPTED`
 */
export async function assumptionsOf(
  cells: readonly ExperimentCell[],
  calibration: Calibration,
  options: AssumptionOptions,
): Promise<AssumptionsAnswer> {
  const all = await mediansOf(cells, calibration, options);
  const [option, against] = fastest(cells, all);
  const own = cells.filter(({ levels }) => levels.architecture === option || levels.architecture === against);
  const variations = [...ofCalibration(calibration), ...ofFiles(own)];
  const base = answerOf(own, all, option, against);
  const effects: AssumptionEffect[] = [];
  for (const [at, { name, source, value, ...vary }] of variations.entries()) {
    options.onProgress?.(at, variations.length);
    const figure = async (times: number): Promise<AnswerFigure> => {
      const varied = own.map((cell) => vary.cell?.(cell, times) ?? cell);
      const medians = await mediansOf(varied, vary.calibration?.(times) ?? calibration, options);
      return answerOf(varied, medians, option, against);
    };
    const [lower, higher] = [await figure(1 / factor), await figure(factor)];
    const changes = higher.percents.map((percent, repetition) => percent - (lower.percents[repetition] as number));
    const agrees = agree(changes);
    const sign = Math.sign(base.percent);
    const overturns = [lower, higher].some(({ percents }) => percents.every((one) => Math.sign(one) === -sign));
    effects.push({
      name,
      source,
      value,
      lower,
      higher,
      moves: changes.some(Number.isNaN) ? Number.NaN : Math.abs(median(changes)),
      agrees,
      overturns,
    });
  }
  const movesOf = ({ moves }: AssumptionEffect): number => (Number.isNaN(moves) ? -1 : moves);
  effects.sort((one, other) => Number(other.agrees) - Number(one.agrees) || movesOf(other) - movesOf(one));
  return { option, against, factor, repetitions: options.repetitions, base, effects };
}

/** Whether all repetitions change in one direction; no figure has none. */
export function agree(changes: readonly number[]): boolean {
  if (changes.length < fewestRepetitions) return false;
  return changes.every((change) => change > 0) || changes.every((change) => change < 0);
}

interface CellMedians {
  /** By repetition, µs; NaN without a figure. */
  us: readonly number[];
  /** Why a repetition has no figure. */
  state?: string | undefined;
}

type Medians = ReadonlyMap<ExperimentCell, CellMedians>;

async function mediansOf(
  cells: readonly ExperimentCell[],
  calibration: Calibration,
  { repetitions, signal }: AssumptionOptions,
): Promise<Medians> {
  const backend = simulatedBackend({ calibration: { value: calibration, sha256: '' }, precision: anyPrecision });
  await backend.check?.(cells, signal);
  const context = { signal, onPhase: () => undefined };
  const medians = new Map<ExperimentCell, CellMedians>();
  for (const cell of cells) {
    const bed = await backend.deploy(cell, context);
    const own: Cell[] = [];
    for (let repetition = 1; repetition <= repetitions; repetition++)
      own.push((await bed.measure(cell, repetition, context)).entry);
    await bed.close();
    const states = own.map(stateWithoutFigure);
    const us = own.map(({ rtt }, at) => (states[at] === undefined ? rtt.medianUs : Number.NaN));
    medians.set(cell, { us, state: states.find((state) => state !== undefined) });
  }
  return medians;
}

/** @returns undefined for an entry with a figure */
function stateWithoutFigure({ prediction, validity, rtt }: Cell): string | undefined {
  if (prediction && prediction.state !== 'stable') return prediction.state;
  if (!validity.valid) return validity.reasons[0] ?? 'invalid';
  return Number.isFinite(rtt.medianUs) ? undefined : 'no completed request';
}

function fastest(cells: readonly ExperimentCell[], medians: Medians): [option: string, against: string] {
  const levels = [...new Set(cells.map(({ levels }) => String(levels.architecture)))];
  const enforcing = levels.filter(isEnforced);
  const all = (enforcing.length > 1 ? enforcing : levels).map((level) => ({
    level,
    mean: meanLog(cells, medians, level),
  }));
  const [first, second] = all.filter(({ mean }) => Number.isFinite(mean)).sort((a, b) => a.mean - b.mean);
  if (first && second) return [first.level, second.level];
  if (all.length > 1) {
    const state = [...medians.values()].find((one) => one.state !== undefined)?.state;
    throw new TopoBenchError('TB_USAGE', `fewer than two architectures have a figure: others are ${state}`, {
      hint: 'lower the rate, or keep the cells that have figures with --only',
    });
  }
  throw new TopoBenchError('TB_USAGE', `sensitivity needs two architectures: got ${levels.join(', ')}`, {
    hint: 'give the experiment the factor `architecture`, or keep two of its levels',
  });
}

/** Over all settings; of one repetition, or the median of all. */
function meanLog(cells: readonly ExperimentCell[], medians: Medians, level: string, repetition?: number): number {
  const own = cells.filter(({ levels }) => String(levels.architecture) === level);
  const logs = own.map((cell) => {
    const { us: values } = medians.get(cell) as CellMedians;
    return Math.log(repetition === undefined ? median(values) : (values[repetition] as number));
  });
  return logs.reduce((sum, log) => sum + log, 0) / logs.length;
}

function answerOf(cells: readonly ExperimentCell[], medians: Medians, option: string, against: string): AnswerFigure {
  const repetitions = medians.values().next().value?.us.length ?? 0;
  const state = cells.flatMap((cell) => medians.get(cell)?.state ?? [])[0];
  const percents = Array.from({ length: repetitions }, (_, repetition) => {
    const log = meanLog(cells, medians, option, repetition) - meanLog(cells, medians, against, repetition);
    return 100 * Math.expm1(log);
  });
  return state === undefined ? { percent: median(percents), percents } : { percent: Number.NaN, percents, state };
}

interface Fitted {
  assumed: boolean;
  fit?: { parameters: readonly { name: string; source: string }[] } | undefined;
}

/** Every figure of the demand that is not zero. */
function ofCalibration(calibration: Calibration): Variation[] {
  const { assumed, fit }: Fitted = calibration;
  const sourceOf = (name: string): AssumptionSource => {
    const known = fit?.parameters.find((one) => one.name === name)?.source;
    if (known === 'fitted' || known === 'direct') return known;
    return assumed || known === 'assumed' || fit ? 'assumed' : 'stated';
  };
  return numbersIn(calibration.demand)
    .filter(counts)
    .map(({ path, value }) => {
      const name = path.join('.');
      return {
        ...{ name, source: sourceOf(name), value },
        calibration(times) {
          const demand = structuredClone(calibration.demand);
          setAt(demand, path, isShare(name) ? Math.min(1, value * times) : value * times);
          return { ...calibration, demand };
        },
      };
    });
}

/** A calibration without `overWorkUs` has a default at which it does not matter. */
function counts({ path, value }: { path: readonly string[]; value: number }): boolean {
  return path.join('.') !== 'cold.overWorkUs' || value < 1e9;
}

/** Probabilities end at 1. */
function isShare(name: string): boolean {
  return /(probability|stay|pull)$/.test(name);
}

function numbersIn(value: unknown, path: readonly string[] = []): { path: readonly string[]; value: number }[] {
  if (typeof value === 'number') return value === 0 ? [] : [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]));
}

function setAt(target: object, path: readonly string[], value: number): void {
  let parent = target as Record<string, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  parent[path.at(-1) as string] = value;
}

/** What the files state of load and system. */
function ofFiles(cells: readonly ExperimentCell[]): Variation[] {
  const [{ settings, graph }] = cells as [ExperimentCell];
  const meanUs = graph.services.reduce((sum, { work }) => sum + work.meanUs, 0) / graph.services.length;
  const delayUs = Math.max(0, ...graph.links.flatMap((row) => row.map((link) => link?.delayUs ?? 0)));
  const all: Variation[] = [
    { name: 'rate', source: 'stated', value: settings.load.rate, cell: withRate },
    {
      name: 'work',
      source: 'stated',
      value: meanUs,
      cell: (cell, times) => withGraph(cell, withWork(cell.graph, times)),
    },
    {
      ...{ name: 'link delay', source: 'stated', value: delayUs },
      cell: (cell, times) => withGraph(cell, withLinks(cell.graph, times)),
    },
  ];
  return all.filter(({ value }) => value > 0);
}

function withRate({ settings, ...cell }: ExperimentCell, times: number): ExperimentCell {
  return { ...cell, settings: { ...settings, load: { ...settings.load, rate: settings.load.rate * times } } };
}

function withGraph(cell: ExperimentCell, graph: Graph): ExperimentCell {
  return { ...cell, graph };
}

function withWork(graph: Graph, times: number): Graph {
  const services = graph.services.map(({ work, ...service }) => ({
    ...service,
    work: { ...work, meanUs: work.meanUs * times },
  }));
  return { ...graph, services };
}

function withLinks(graph: Graph, times: number): Graph {
  const links = graph.links.map((row) =>
    row.map((link) => link && { delayUs: link.delayUs * times, jitterUs: link.jitterUs * times }),
  );
  return { ...graph, links };
}
