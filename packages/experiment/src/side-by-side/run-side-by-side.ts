/**
 * Measures baseline and candidate side by side, round by round, until the caller has enough pairs or the time is up.
 * Both sides are ordinary run folders; their records state that their repetitions are paired.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { Launcher } from '@topo-bench/loadgen';
import { createRun, type RunWriter } from '@topo-bench/results';
import type { RunnerNamed } from '@topo-bench/runners';
import { Deadline } from '../deadline.ts';
import { failedRepetition } from '../failed-repetition.ts';
import { comparisonOf, withOneLagLimit } from '../one-lag-limit.ts';
import { recordHosts } from '../record-hosts.ts';
import type { ResolvedExperiment } from '../resolve-experiment.ts';
import { roundOrder } from '../round-order.ts';
import { newRunRecord, type RunIdentity } from '../run-record.ts';
import { noticesOfCells, requireRunners } from '../runners-of-cells.ts';
import { type MeasureContext, type MeasuredRepetition, openTogether, type SideSetup } from '../study.ts';
import { type SideName, type Sides, sideNames } from './sides.ts';

export interface SideBySideOptions extends Omit<RunIdentity, 'startedAt'> {
  runnerNamed: RunnerNamed;
  context: MeasureContext;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher;
  /** Parent of the folders `baseline` and `candidate`, each a run folder with the logs of its side. */
  folder: string;
  /**
   * No round starts that would end later, and one that takes longer than those before is cut off. The first one is
   * always measured.
   */
  maxTimeUs: number;
  /** Each side as the user named it. */
  refs: Sides<string>;
  /** Called after every round, and after one that was cut off; true ends the measurement. */
  enough(runs: Sides<RunFolder>, time: SpentTime): boolean;
  /** Called for each part of the topology that the runner does not apply. */
  onNotice?(message: string): void;
  /** Called after every pair of repetitions; both are stored. */
  onPair?(pair: Sides<MeasuredRepetition>, repetition: number): void;
}

/** Time of a measurement so far. */
export interface SpentTime {
  seconds: number;
  /** Time of the longest round. */
  roundSeconds: number;
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
  const notices: Partial<Sides<string[]>> = {};
  for (const side of sideNames) {
    await requireRunners(sides[side].cells, options.runnerNamed);
    notices[side] = await noticesOfCells(sides[side].cells, options.runnerNamed);
  }
  for (const message of new Set(Object.values(notices).flat())) options.onNotice?.(message);
  try {
    for (const side of sideNames)
      writers[side] = await createRun(
        join(options.folder, side),
        recordOf(sides, options, { id, side, notices: notices[side] }),
      );
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
    let roundSeconds = 0;
    for (let repetition = 1; ; repetition++) {
      const roundMs = performance.now();
      const leftUs = maxTimeUs - (roundMs - startMs) * 1e3;
      const isWhole = await this.#measureWithin(repetition === 1 ? undefined : leftUs, repetition);
      roundSeconds = Math.max(roundSeconds, (performance.now() - roundMs) / 1e3);
      const seconds = (performance.now() - startMs) / 1e3;
      const isEnough = enough(this.runs, { seconds, roundSeconds });
      if (isEnough || !isWhole || (seconds + roundSeconds) * 1e6 > maxTimeUs) return;
    }
  }

  /** Returns false for a round that the limit cut off. Its finished pairs are kept. */
  async #measureWithin(leftUs: number | undefined, repetition: number): Promise<boolean> {
    const { context } = this.#options;
    if (leftUs === undefined) {
      await this.#measureRound(repetition, context);
      return true;
    }
    const deadline = new Deadline(context.signal, leftUs);
    try {
      await this.#measureRound(repetition, { ...context, signal: deadline.signal });
      return true;
    } catch (error) {
      if (deadline.hasPassed) return false;
      throw error;
    }
  }

  /** Every cell once, in shuffled order. */
  async #measureRound(repetition: number, context: MeasureContext): Promise<void> {
    const { cells, experiment } = this.#sides.baseline;
    const order = roundOrder([...cells.keys()], (at) => cells[at]?.deployment ?? '', experiment.seed, repetition);
    for (const at of order.flatMap(({ members }) => members)) {
      const pair = await this.#measurePair(at, repetition, context);
      for (const side of sideNames) await this.#writers[side].storeRepetition(pair[side].entry, pair[side].samples);
      this.#options.onPair?.(pair, repetition);
    }
    for (const side of sideNames) await this.#writers[side].mark('running', { repetitions: repetition });
  }

  /** @param at index of the cell */
  async #measurePair(at: number, repetition: number, context: MeasureContext): Promise<Sides<MeasuredRepetition>> {
    const setups = sideNames.map((side) => ({
      cell: this.#sides[side].cells[at] as ResolvedExperiment['cells'][number],
      logsDir: join(this.#writers[side].folder, 'logs'),
      traceShare: 0,
    }));
    const pairOf = ([baseline, candidate]: MeasuredRepetition[]): Sides<MeasuredRepetition> =>
      ({ baseline, candidate }) as Sides<MeasuredRepetition>;
    try {
      const measured = await this.#measureSetups(setups, repetition, context);
      this.#workedOnce = true;
      return pairOf(withOneLagLimit(measured, comparisonOf(this.#sides.baseline)));
    } catch (error) {
      const survivable = error instanceof TopoBenchError && error.code !== 'TB_INTERNAL' && !context.signal.aborted;
      if (!survivable || !this.#workedOnce) throw error;
      return pairOf(setups.map(({ cell }) => failedRepetition(cell, repetition, error, 'measured')));
    }
  }

  /**
   * Deploys both sides afresh, measures them and tears them down. Processes of equal code can differ by some percent
   * during their whole lifetime.
   */
  async #measureSetups(
    setups: readonly SideSetup[],
    repetition: number,
    context: MeasureContext,
  ): Promise<MeasuredRepetition[]> {
    const { runnerNamed, launcher } = this.#options;
    // The sides alternate in starting first and in being loaded first.
    const first = repetition % setups.length;
    const runnerOf = ({ settings }: SideSetup['cell']) => runnerNamed(settings.runner);
    const bed = await openTogether(setups, { runnerOf, launcher, first, leaveOutLate: true }, context);
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
  { id, side, notices = [] }: { id: string; side: SideName; notices: string[] | undefined },
): Parameters<typeof createRun>[1] {
  const record = newRunRecord(sides[side], { version, command, startedAt: new Date() });
  return {
    ...record,
    repetitions: 1,
    sideBySide: { id, side, ref: refs[side] },
    ...(notices.length > 0 && { notices }),
  };
}
