/**
 * Baseline and candidate measured side by side, round by round, until those who judge have seen enough or the time is
 * up. Both sides are run folders like any other; their records say that their repetitions belong together.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { Launcher } from '@topo-bench/loadgen';
import { createRun, type RunWriter } from '@topo-bench/results';
import { type Runner, requireRunner } from '@topo-bench/runners';
import type { MeasureContext, MeasuredRepetition } from '../backend.ts';
import { failedRepetition } from '../failed-repetition.ts';
import { type Comparison, comparisonOf, heldTogether } from '../one-lag-limit.ts';
import { recordHosts } from '../record-hosts.ts';
import type { ResolvedExperiment } from '../resolve-experiment.ts';
import { roundOrder } from '../round-order.ts';
import { newRunRecord, type RunIdentity } from '../run-record.ts';
import { openTogether, type SideSetup } from '../study.ts';
import { type SideName, type Sides, sideNames } from './sides.ts';

export interface SideBySideOptions extends Omit<RunIdentity, 'startedAt'> {
  runner: Runner;
  context: MeasureContext;
  /** Where load generators run; left out: processes on this host. */
  launcher?: Launcher;
  /** Gets the folders `baseline` and `candidate`, each a run folder with the logs of its side. */
  folder: string;
  /** No round is begun that would end after it, the first aside. */
  maxTimeUs: number;
  /** That is asked for, as a share of the baseline; what the experiment states counts where it is smaller. */
  smallestDifference?: number;
  /** Each side as the user named it. */
  refs: Sides<string>;
  /** Asked after every round. */
  enough(runs: Sides<RunFolder>): boolean;
  /** After every pair of repetitions; both are on the disk. */
  onPair?(pair: Sides<MeasuredRepetition>, repetition: number): void;
}

/**
 * @param sides what `resolveSides` made
 * @throws TopoBenchError what the first deployments throw, later ones make their repetitions invalid; what run folders
 *   throw; `TB_INTERRUPTED`
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

/** Marks how both runs ended; what goes wrong with that must not hide why they ended. */
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
  /** Whether any round has worked. */
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
    let longestMs = 0;
    for (let repetition = 1; ; repetition++) {
      const roundMs = performance.now();
      await this.#measureRound(repetition);
      longestMs = Math.max(longestMs, performance.now() - roundMs);
      if (enough(this.runs) || (performance.now() - startMs + longestMs) * 1e3 > maxTimeUs) return;
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
      return pairOf(heldTogether(measured, this.#comparison));
    } catch (error) {
      const survivable =
        error instanceof TopoBenchError && error.code !== 'TB_INTERNAL' && !this.#options.context.signal.aborted;
      if (!survivable || !this.#workedOnce) throw error;
      return pairOf(setups.map(({ cell }) => failedRepetition(cell, repetition, error, 'measured')));
    }
  }

  /** What one limit of the lag holds for: the two sides. */
  get #comparison(): Comparison {
    const stated = comparisonOf(this.#sides.baseline);
    const { smallestDifference = Number.POSITIVE_INFINITY } = this.#options;
    return { ...stated, smallestDifference: Math.min(stated.smallestDifference, smallestDifference) };
  }

  /**
   * Deploys both sides afresh, since processes of equal code can differ by some percent for as long as they live;
   * measures; ends them.
   */
  async #measureSetups(setups: readonly SideSetup[], repetition: number): Promise<MeasuredRepetition[]> {
    const { runner, context, launcher } = this.#options;
    // Each side starts first, and is loaded first, in turn.
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
