/** Sensitivity by simulation: the chosen option over a wider range of rates, and the assumptions that move it most. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatChange } from '@topo-bench/comparison';
import { shortFactorName } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { simulatedText } from '@topo-bench/report';
import { withUncertainty } from '@topo-bench/routing/calibration';
import { simulatedBackend } from '@topo-bench/studies/simulated-backend';
import { open } from '../open.ts';
import { assumptionsOf } from '../questions/assumptions.ts';
import { type Asked, sensitivityOf } from './sensitivity.ts';

export interface SimulatedOptions {
  calibration: Calibration;
  sha256: string;
  version: string;
  signal: AbortSignal;
}

export interface SimulatedSensitivity {
  sentences: string[];
  /** What its figures stand for. */
  simulation: string | undefined;
}

const levels = 7;
const repetitions = 10;
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
  { calibration, sha256, version, signal }: SimulatedOptions,
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
      withUncertainty(simulatedBackend({ calibration: { value: calibration, sha256 } }), calibration);
    const run = await bench.run({ backends, folder: join(folder, 'run'), version, command: ['decide'], signal });
    const finished = [{ ...run, cells: [...run.cells] }];
    const curves = sensitivityOf(finished, asked).sentences;
    const ranked = await assumptions(experiment, { set: choices.set ?? {}, only }, calibration, signal);
    return { sentences: [...curves, ...ranked], simulation: simulatedText(finished) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Without the rate, by each of its names. */
function withoutRate<T>(chosen: Readonly<Record<string, T>>): Record<string, T> {
  const isRate = (name: string): boolean => shortFactorName(name.replace(/^factors\./, '')) === 'rate';
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => !isRate(name)));
}

async function assumptions(
  experiment: string,
  choices: Choices,
  calibration: Calibration,
  signal: AbortSignal,
): Promise<string[]> {
  const { cells } = await open({ experiment }, choices);
  const { option, against, base, effects, factor } = await assumptionsOf(cells, calibration, {
    repetitions: 8,
    signal,
  });
  const shown = effects.filter(({ agrees }) => agrees).slice(0, shownAssumptions);
  const texts = shown.map(({ name, source, lower, higher }) => {
    return `${name} (${source}): ${formatChange(lower.percent)} and ${formatChange(higher.percent)}`;
  });
  const most =
    texts.length === 0 ? 'no assumption moves it in every repetition' : `it moves most with ${texts.join('; ')}`;
  return [
    `Simulated by ${calibration.name}: ${option} has ${formatChange(base.percent)} against ${against} in the median; divided and multiplied by ${factor}, ${most}.`,
  ];
}
