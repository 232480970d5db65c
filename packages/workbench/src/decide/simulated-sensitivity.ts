/** Sensitivity by simulation: the chosen option over a wider range of rates, and the assumptions that move it most. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatChange } from '@topo-bench/comparison';
import { cellKey, shortFactorName } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Cell } from '@topo-bench/core/schema/result';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { simulatedText } from '@topo-bench/report';
import { withUncertainty } from '@topo-bench/routing/calibration';
import { simulatedBackend } from '@topo-bench/studies/simulated-backend';
import type { RunEvent } from '@topo-bench/trial';
import { open } from '../open.ts';
import { type AssumptionsAnswer, anyPrecision, assumptionsOf } from '../questions/assumptions.ts';
import { type Asked, sensitivityOf } from './sensitivity.ts';

export interface SimulatedOptions {
  calibration: Calibration;
  sha256: string;
  version: string;
  signal: AbortSignal;
  onProgress?: (text: string, share: number) => void;
}

export interface SimulatedSensitivity {
  sentences: string[];
  /** What its figures stand for. */
  simulation: string | undefined;
  /** One point for each option and rate. */
  curve: CurvePoint[];
  assumptions: AssumptionsAnswer;
}

export interface CurvePoint {
  option: string;
  /** req/s */
  rate: number;
  /** Medians of the valid repetitions. */
  mediansUs: number[];
}

const levels = 7;
const repetitions = 10;
const assumptionRepetitions = 8;
const shownAssumptions = 3;

/**
 * @param rates of the runs, req/s
 * @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` and for problems of the files
 */
export async function simulatedSensitivity(
  experiment: string,
  choices: Choices,
  asked: Asked,
  rates: readonly number[],
  { calibration, sha256, version, signal, onProgress }: SimulatedOptions,
): Promise<SimulatedSensitivity> {
  const [low, high] = [Math.min(...rates) / 2, 2 * Math.max(...rates)];
  const step = (high - low) / (levels - 1);
  const grid = Array.from({ length: levels }, (_, at) => Number((low + at * step).toPrecision(3)));
  const only = { ...choices.only, [asked.factor]: [asked.chosen, ...asked.others].map(String) };
  const set = { ...withoutRate(choices.set ?? {}), 'factors.rate': grid, repetitions };
  const bench = await open({ experiment }, { set, only: withoutRate(only) });
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-decide-'));
  try {
    const backends = () =>
      withUncertainty(
        simulatedBackend({ calibration: { value: calibration, sha256 }, precision: anyPrecision }),
        calibration,
      );
    const onEvent = (event: RunEvent): void => {
      if (event.kind !== 'repetition') return;
      const { finished, repetitions: all } = event;
      onProgress?.(`${finished} of ${all} repetitions at ${grid.length} rates simulated`, finished / all);
    };
    const run = await bench.run({
      backends,
      folder: join(folder, 'run'),
      version,
      command: ['decide'],
      signal,
      onEvent,
    });
    const finished = [{ ...run, cells: [...run.cells] }];
    const curves = sensitivityOf(finished, asked).sentences;
    const { cells } = await open({ experiment }, { set: choices.set ?? {}, only });
    const ranked = await assumptionsOf(cells, calibration, {
      ...{ repetitions: assumptionRepetitions, signal },
      onProgress: (done, all) => onProgress?.(`${done} of ${all} assumptions varied`, done / all),
    });
    return {
      sentences: [...curves, assumptionsText(ranked, calibration)],
      ...{ simulation: simulatedText(finished), curve: curveOf(run.cells, asked.factor), assumptions: ranked },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Without the rate, by each of its names. */
function withoutRate<T>(chosen: Readonly<Record<string, T>>): Record<string, T> {
  const isRate = (name: string): boolean => shortFactorName(name.replace(/^factors\./, '')) === 'rate';
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => !isRate(name)));
}

function curveOf(cells: readonly Cell[], factor: string): CurvePoint[] {
  const points = new Map<string, CurvePoint>();
  for (const { factors, validity, rtt } of cells) {
    if (!validity.valid || !Number.isFinite(rtt.medianUs)) continue;
    const point = { option: String(factors[factor]), rate: Number(factors.rate), mediansUs: [] };
    const key = cellKey({ option: point.option, rate: point.rate });
    points.set(key, points.get(key) ?? point);
    points.get(key)?.mediansUs.push(rtt.medianUs);
  }
  return [...points.values()].sort((a, b) => a.rate - b.rate);
}

function assumptionsText({ option, against, base, effects, factor }: AssumptionsAnswer, { name }: Calibration): string {
  const shown = effects.filter(({ agrees }) => agrees).slice(0, shownAssumptions);
  const texts = shown.map(({ name: own, source, lower, higher }) => {
    return `${own} (${source}): ${formatChange(lower.percent)} and ${formatChange(higher.percent)}`;
  });
  const most =
    texts.length === 0 ? 'no assumption moves it in every repetition' : `it moves most with ${texts.join('; ')}`;
  return `Simulated by ${name}: ${option} has ${formatChange(base.percent)} against ${against} in the median; divided and multiplied by ${factor}, ${most}.`;
}
