/** Sensitivity by simulation: the chosen option over a wider range of rates, and the assumptions that move it most. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatChange } from '@topo-bench/comparison';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Choices } from '@topo-bench/experiment/read-inputs';
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
): Promise<string[]> {
  const [low, high] = [Math.min(...rates) / 2, 2 * Math.max(...rates)];
  const step = (high - low) / (levels - 1);
  const grid = Array.from({ length: levels }, (_, at) => Number((low + at * step).toPrecision(3)));
  const only = { ...choices.only, [asked.factor]: [asked.chosen, ...asked.others].map(String) };
  const { rate: _rate, ...set } = choices.set ?? {};
  const bench = await open({ experiment }, { set: { ...set, 'factors.rate': grid, repetitions }, only });
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-decide-'));
  try {
    const backends = () => simulatedBackend({ calibration: { value: calibration, sha256 } });
    const run = await bench.run({ backends, folder: join(folder, 'run'), version, command: ['decide'], signal });
    const curves = sensitivityOf([{ ...run, cells: [...run.cells] }], asked).sentences;
    return [...curves, ...(await assumptions(experiment, { set: choices.set ?? {}, only }, calibration, signal))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
