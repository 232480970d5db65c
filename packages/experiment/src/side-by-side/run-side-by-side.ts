/**
 * Measures baseline and candidate side by side, round by round, until the caller has enough pairs or the time is up.
 * Both sides are ordinary run folders; their records state that their repetitions are paired.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { RunFolder } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import type { RunWriter } from '@topo-bench/results';
import { type ExperimentCell, type MeasuredRepetition, type SideName, type Sides, sideNames } from '@topo-bench/trial';
import { Deadline } from '../deadline.ts';
import { GroupMeasurer, isFinal } from '../group-measurer.ts';
import { comparisonOf, withOneLagLimit } from '../one-lag-limit.ts';
import type { ResolvedExperiment } from '../resolve-experiment.ts';
import { roundOrder } from '../round-order.ts';
import { newRunRecord, type RunIdentity } from '../run-record.ts';
import { runSession, type Session, type SessionOptions } from '../session.ts';

export interface SideBySideOptions extends Omit<RunIdentity, 'startedAt'>, SessionOptions {
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
  /** Default: nothing is profiled. */
  profile?: ProfilePlan | undefined;
}

/** Pairs with CPU profiles, after all others. They are in no run folder: a profile slows down what it measures. */
export interface ProfilePlan {
  pairs: number;
  /** @returns index of the cell to profile; undefined: none */
  cellOf(runs: Sides<RunFolder>): number | undefined;
  /** Called after each pair. @returns false to measure no more */
  onPair(pair: Sides<MeasuredRepetition>): boolean;
  /** Called with a failure, which ends the profiles alone. */
  onFailure(error: unknown): void;
}

/** Time of a measurement so far. */
export interface SpentTime {
  seconds: number;
  /** Time of the longest round. */
  roundSeconds: number;
}

/**
 * @param sides from `resolveSides`
 * @throws TopoBenchError as `runSession`; errors before the first finished pair (a later failure makes its repetitions
 *   invalid)
 */
export async function runSideBySide(
  sides: Sides<ResolvedExperiment>,
  options: SideBySideOptions,
): Promise<Sides<RunFolder>> {
  const id = randomUUID();
  const folders = sideNames.map((side) => ({
    folder: join(options.folder, side),
    parent: options.folder,
    cells: sides[side].cells,
    record: recordOf(sides, options, { id, side }),
    resume: false,
  }));
  const hint = `what was measured is kept in ${options.folder}`;
  const writers = await runSession(
    {
      folders,
      measure: async (session, own) => {
        const pairs = new Pairs(sides, ofSides(own), options);
        await pairs.measureAll(session);
        if (options.profile) await pairs.profile(session, options.profile);
      },
      interrupted: ({ length }) => ({ message: 'the gate was interrupted', ...(length > 0 && { hint }) }),
    },
    options,
  );
  return runsOf(ofSides(writers));
}

class Pairs {
  readonly #sides: Sides<ResolvedExperiment>;
  readonly #writers: Sides<RunWriter>;
  readonly #options: Pick<SideBySideOptions, 'enough' | 'maxTimeUs'>;
  readonly #measurer = new GroupMeasurer({ mustWorkOnce: 'measurement' });

  constructor(
    sides: Sides<ResolvedExperiment>,
    writers: Sides<RunWriter>,
    options: Pick<SideBySideOptions, 'enough' | 'maxTimeUs'>,
  ) {
    this.#sides = sides;
    this.#writers = writers;
    this.#options = options;
  }

  async measureAll(session: Session): Promise<void> {
    const { enough, maxTimeUs } = this.#options;
    const startMs = performance.now();
    let roundSeconds = 0;
    for (let repetition = 1; ; repetition++) {
      const roundMs = performance.now();
      const leftUs = maxTimeUs - (roundMs - startMs) * 1e3;
      const isWhole = await this.#measureWithin(repetition === 1 ? undefined : leftUs, repetition, session);
      roundSeconds = Math.max(roundSeconds, (performance.now() - roundMs) / 1e3);
      const seconds = (performance.now() - startMs) / 1e3;
      const isEnough = enough(runsOf(this.#writers), { seconds, roundSeconds });
      if (isEnough || !isWhole || (seconds + roundSeconds) * 1e6 > maxTimeUs) return;
    }
  }

  async profile(session: Session, { pairs, cellOf, onPair, onFailure }: ProfilePlan): Promise<void> {
    const runs = runsOf(this.#writers);
    const at = cellOf(runs);
    if (at === undefined) return;
    const last = runs.candidate.record.repetitions;
    try {
      for (let repetition = last + 1; repetition <= last + pairs; repetition++) {
        const load = this.#loadOf(at);
        const together = { first: repetition % load.length, profile: true };
        for await (const { repetitions } of this.#measurer.measure({ loads: [load] }, repetition, session, together)) {
          if (!onPair(ofSides(repetitions))) return;
        }
      }
    } catch (error) {
      if (session.signal.aborted) throw error;
      onFailure(error);
    }
  }

  #loadOf(at: number): ExperimentCell[] {
    return sideNames.map((side) => this.#sides[side].cells[at] as ExperimentCell);
  }

  /** Returns false for a round that the limit cut off. Its finished pairs are kept. */
  async #measureWithin(leftUs: number | undefined, repetition: number, session: Session): Promise<boolean> {
    if (leftUs === undefined) {
      await this.#measureRound(repetition, session);
      return true;
    }
    const deadline = new Deadline(session.signal, leftUs);
    try {
      await this.#measureRound(repetition, session.within(deadline.signal));
      return true;
    } catch (error) {
      if (deadline.hasPassed && !isFinal(error)) return false;
      throw error;
    }
  }

  /** Every cell once, in shuffled order. */
  async #measureRound(repetition: number, session: Session): Promise<void> {
    const { cells, experiment } = this.#sides.baseline;
    const order = roundOrder([...cells.keys()], (at) => cells[at]?.deployment ?? '', experiment.seed, repetition);
    for (const at of order.flatMap(({ members }) => members)) {
      await this.#measurePair(at, repetition, session);
    }
    for (const side of sideNames) await this.#writers[side].mark('running', { repetitions: repetition });
  }

  /**
   * Deploys both sides afresh, measures and stores them, and tears them down. Processes of equal code can differ by
   * some percent during their whole lifetime.
   * @param at index of the cell
   */
  async #measurePair(at: number, repetition: number, session: Session): Promise<void> {
    const load = this.#loadOf(at);
    // The sides alternate in starting first and in being loaded first.
    const together = { first: repetition % load.length, leaveOutLate: true };
    for await (const { repetitions } of this.#measurer.measure({ loads: [load] }, repetition, session, together)) {
      const pair = ofSides(withOneLagLimit(repetitions, comparisonOf(this.#sides.baseline)));
      for (const side of sideNames) await this.#writers[side].storeRepetition(pair[side].entry, pair[side].samples);
      session.emit({ kind: 'pair', baseline: pair.baseline.entry, candidate: pair.candidate.entry });
    }
  }
}

/** @param items in the order of the names */
function ofSides<T>(items: readonly T[]): Sides<T> {
  return Object.fromEntries(sideNames.map((side, at) => [side, items[at]])) as Sides<T>;
}

function runsOf(writers: Sides<RunWriter>): Sides<RunFolder> {
  return ofSides(sideNames.map((side) => writers[side]).map(runOf));
}

function runOf({ folder, record, cells }: RunWriter): RunFolder {
  return { folder, record, cells: [...cells] };
}

function recordOf(
  sides: Sides<ResolvedExperiment>,
  { version, command, refs }: SideBySideOptions,
  { id, side }: { id: string; side: SideName },
): RunRecord {
  const record = newRunRecord(sides[side], { version, command, startedAt: new Date() });
  return { ...record, repetitions: 1, sideBySide: { id, side, ref: refs[side] } };
}
