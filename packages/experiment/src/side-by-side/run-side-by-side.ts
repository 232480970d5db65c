/**
 * Measures baseline and candidate side by side, round by round, until the caller has enough pairs or the time is up.
 * Both sides are ordinary run folders; their records state that their repetitions are paired.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { Launcher } from '@topo-bench/loadgen';
import { createRun, type RunWriter } from '@topo-bench/results';
import { type Runner, requireRunner } from '@topo-bench/runners';
import { failedRepetition } from '../failed-repetition.ts';
import { type Comparison, comparisonOf, withOneLagLimit } from '../one-lag-limit.ts';
import { recordHosts } from '../record-hosts.ts';
import type { ResolvedExperiment } from '../resolve-experiment.ts';
import { roundOrder } from '../round-order.ts';
import { newRunRecord, type RunIdentity } from '../run-record.ts';
import { type MeasureContext, type MeasuredRepetition, openTogether, type SideSetup } from '../study.ts';
import { type SideName, type Sides, sideNames } from './sides.ts';

export interface SideBySideOptions extends Omit<RunIdentity, 'startedAt'> {
  runner: Runner;
  context: MeasureContext;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher;
  /** Parent of the folders `baseline` and `candidate`, each a run folder with the logs of its side. */
  folder: string;
  /** No round starts that would end later; the first one always starts. */
  maxTimeUs: number;
  /** Smallest difference to detect, as a share of the baseline; a smaller value in the experiment takes precedence. */
  smallestDifference?: number;
  /** Each side as the user named it. */
  refs: Sides<string>;
  /** Called after every round; true ends the measurement. */
  enough(runs: Sides<RunFolder>): boolean;
  /** Called after every pair of repetitions; both are stored. */
  onPair?(pair: Sides<MeasuredRepetition>, repetition: number): void;
}

/**
 * @param sides from `resolveSides`
 * @throws TopoBenchError errors of the first deployments (a later failure makes its repetitions invalid); errors of run
 *   folders; `TB_INTERRUPTED`
 */
export async function runSideBySide(
  sides: Sides<ResolvedExperiment>,
  options: SideBySideOptions,
): Promise<Sides<RunFolder>> {
  const id = randomUUID();
  const writers: Partial<Sides<RunWriter>> = {};
  // Before anything is written.
  for (const side of sideNames)
    await requireRunner(
      options.runner,
      sides[side].cells.map(({ plan }) => plan),
    );
  try {
    for (const side of sideNames)
      writers[side] = await createRun(join(options.folder, side), recordOf(sides, options, { id, side }));
    const session = new Session(sides, options, writers as Sides<RunWriter>);
    await session.measureAll();
    for (const side of sideNames) await writers[side]?.finish('finished');
    return session.runs;
  } catch (error) {
    throw await ended(error, Object.values(writers), options);
  }
}

/** Records the final status of both runs; a failure to do so must not mask the original error. */
async function ended(
  error: unknown,
  writers: readonly RunWriter[],
  { context, folder }: SideBySideOptions,
): Promise<unknown> {
  const interrupted = context.signal.aborted;
  const message = error instanceof Error ? error.message : String(error);
  for (const writer of writers) {
    await (interrupted ? writer.finish('interrupted') : writer.finish('failed', message)).catch(() => undefined);
  }
  if (!interrupted) return error;
  const hint = `what was measured is kept in ${folder}`;
  return new TopoBenchError('TB_INTERRUPTED', 'the gate was interrupted', writers.length > 0 ? { hint } : {});
}

class Session {
  readonly #sides: Sides<ResolvedExperiment>;
  readonly #options: SideBySideOptions;
  readonly #writers: Sides<RunWriter>;
  /** Whether any round has succeeded. */
  #workedOnce = false;

  constructor(sides: Sides<ResolvedExperiment>, options: SideBySideOptions, writers: Sides<RunWriter>) {
    this.#sides = sides;
    this.#options = options;
    this.#writers = writers;
  }

  get runs(): Sides<RunFolder> {
    const runOf = ({ folder, record, cells }: RunWriter): RunFolder => ({ folder, record, cells: [...cells] });
    return { baseline: runOf(this.#writers.baseline), candidate: runOf(this.#writers.candidate) };
  }

  async measureAll(): Promise<void> {
    const { enough, maxTimeUs } = this.#options;
    const startMs = performance.now();
    let maxRoundMs = 0;
    for (let repetition = 1; ; repetition++) {
      const roundMs = performance.now();
      await this.#measureRound(repetition);
      maxRoundMs = Math.max(maxRoundMs, performance.now() - roundMs);
      if (enough(this.runs) || (performance.now() - startMs + maxRoundMs) * 1e3 > maxTimeUs) return;
    }
  }

  /** Every cell once, in shuffled order. */
  async #measureRound(repetition: number): Promise<void> {
    const { cells, experiment } = this.#sides.baseline;
    const order = roundOrder([...cells.keys()], (at) => cells[at]?.deployment ?? '', experiment.seed, repetition);
    for (const at of order.flatMap(({ members }) => members)) {
      const pair = await this.#measurePair(at, repetition);
      for (const side of sideNames) await this.#writers[side].storeRepetition(pair[side].entry, pair[side].samples);
      this.#options.onPair?.(pair, repetition);
    }
    for (const side of sideNames) await this.#writers[side].mark('running', { repetitions: repetition });
  }

  /** @param at index of the cell */
  async #measurePair(at: number, repetition: number): Promise<Sides<MeasuredRepetition>> {
    const setups = sideNames.map((side) => ({
      cell: this.#sides[side].cells[at] as ResolvedExperiment['cells'][number],
      logsDir: join(this.#writers[side].folder, 'logs'),
      traceShare: 0,
    }));
    const pairOf = ([baseline, candidate]: MeasuredRepetition[]): Sides<MeasuredRepetition> =>
      ({ baseline, candidate }) as Sides<MeasuredRepetition>;
    try {
      const measured = await this.#measureSetups(setups, repetition);
      this.#workedOnce = true;
      return pairOf(withOneLagLimit(measured, this.#comparison));
    } catch (error) {
      const survivable =
        error instanceof TopoBenchError && error.code !== 'TB_INTERNAL' && !this.#options.context.signal.aborted;
      if (!survivable || !this.#workedOnce) throw error;
      return pairOf(setups.map(({ cell }) => failedRepetition(cell, repetition, error, 'measured')));
    }
  }

  /** The two sides share one limit of the lag. */
  get #comparison(): Comparison {
    const stated = comparisonOf(this.#sides.baseline);
    const { smallestDifference = Number.POSITIVE_INFINITY } = this.#options;
    return { ...stated, smallestDifference: Math.min(stated.smallestDifference, smallestDifference) };
  }

  /**
   * Deploys both sides afresh, measures them and tears them down. Processes of equal code can differ by some percent
   * during their whole lifetime.
   */
  async #measureSetups(setups: readonly SideSetup[], repetition: number): Promise<MeasuredRepetition[]> {
    const { runner, context, launcher } = this.#options;
    // The sides alternate in starting first and in being loaded first.
    const first = repetition % setups.length;
    const bed = await openTogether(setups, { runner, launcher, first }, context);
    try {
      for (const side of sideNames) await recordHosts(this.#writers[side], bed.hosts);
      const cells = setups.map(({ cell }) => cell);
      return await bed.measure(cells, repetition, context);
    } finally {
      await bed.close();
    }
  }
}

function recordOf(
  sides: Sides<ResolvedExperiment>,
  { version, command, refs }: SideBySideOptions,
  { id, side }: { id: string; side: SideName },
): Parameters<typeof createRun>[1] {
  const record = newRunRecord(sides[side], { version, command, startedAt: new Date() });
  return { ...record, repetitions: 1, sideBySide: { id, side, ref: refs[side] } };
}
