/**
 * The repetitions of a run, round by round, with cells in shuffled order. Each repetition is stored before the next
 * begins. The verdicts of a round are final at its end.
 */
import { cellKey } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { type RunWriter, withDeploymentCost } from '@topo-bench/results';
import type { Effort, ExperimentCell } from '@topo-bench/trial';
import { estimateRun, type RunEstimate } from './estimate-run.ts';
import { GroupMeasurer, type MeasuredLoad } from './group-measurer.ts';
import { applyOneLagLimit, type Comparison, comparisonOf, withOneLagLimit } from './one-lag-limit.ts';
import { OpenRepetitions } from './open-repetitions.ts';
import { RemainingTime } from './remaining-time.ts';
import { RepetitionStore } from './repetition-store.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import type { Session } from './session.ts';

export class Rounds {
  readonly #resolved: ResolvedExperiment;
  readonly #session: Session;
  readonly #writer: RunWriter;
  readonly #open: OpenRepetitions;
  readonly #measurer: GroupMeasurer;
  readonly #store: RepetitionStore;
  readonly #estimate: RunEstimate;
  readonly #remaining: RemainingTime;
  readonly #comparison: Comparison;

  constructor(resolved: ResolvedExperiment, writer: RunWriter, session: Session, effort: Effort) {
    this.#resolved = resolved;
    this.#session = session;
    this.#writer = writer;
    this.#open = new OpenRepetitions(resolved, effort, writer);
    this.#store = new RepetitionStore(writer);
    this.#comparison = comparisonOf(resolved);
    this.#estimate = estimateRun(resolved, effort);
    this.#remaining = new RemainingTime(
      this.#open.cells.reduce((sum, cell) => sum + this.#estimate.secondsOf(cell), 0),
    );
    this.#measurer = new GroupMeasurer({
      mustWorkOnce: 'deployment',
      onStopped: (cells, repetition, stopMs) => this.#stopped(cells, repetition, stopMs),
    });
  }

  /**
   * @param stop checked before every round; true ends the measurements, and the open repetitions stay open
   * @throws errors of the run folder, and errors of measurements that end the run
   */
  async measureAll(stop: () => boolean = () => false): Promise<void> {
    const { folder } = this.#writer;
    const { source } = this.#session.backend;
    this.#session.emit({ kind: 'started', source, runDir: folder, ...this.#progress() });
    for (const round of this.#open.rounds) {
      if (stop()) return;
      // After an interruption the last round may be measured but have no final verdicts.
      await this.#judgeRound(round);
      // Remeasurements are at the end of their round, after the disturbance, and on a deployment of their own.
      for (let groups = this.#open.of(round); groups.length > 0; groups = this.#open.of(round)) {
        for (const group of groups) {
          for await (const load of this.#measurer.measure(group, round, this.#session)) await this.#finished(load);
        }
        await this.#judgeRound(round);
      }
    }
  }

  /**
   * The smallest median is known once all cells are measured; then one limit of the lag applies to all compared cells.
   */
  async #judgeRound(round: number): Promise<void> {
    const entries = this.#resolved.cells.flatMap(({ levels }) => this.#writer.entryOf(levels, round) ?? []);
    const judged = applyOneLagLimit(entries, this.#comparison);
    const changed = entries.flatMap((was, at) => (judged[at] === was ? [] : [{ was, is: judged[at] as Cell }]));
    if (changed.length === 0) return;
    const before = this.#open.remeasured();
    await this.#writer.storeVerdicts(changed.map(({ is }) => is));
    for (const { was, is } of changed)
      if (was.validity.valid !== is.validity.valid) this.#rejudged(is, before.has(was));
  }

  /** @param before whether the repetition was to be remeasured */
  #rejudged({ factors, repetition }: Cell, before: boolean): void {
    const entry = this.#writer.entryOf(factors, repetition) as Cell;
    const remeasure = this.#open.remeasured().has(entry);
    const cell = this.#resolved.cells.find(({ levels }) => cellKey(levels) === cellKey(factors)) as ExperimentCell;
    this.#remaining.added((Number(remeasure) - Number(before)) * this.#estimate.secondsOf(cell));
    this.#session.emit({ kind: 'repetition', entry, remeasure, ...this.#progress() });
  }

  /** Stores the repetitions of a load, then reports them. */
  async #finished({ cells, repetitions, seconds }: MeasuredLoad): Promise<void> {
    const stored: Cell[] = [];
    for (const repetition of withOneLagLimit(repetitions, this.#comparison)) {
      const mixed = cells[0]?.study.mixed?.(this.#writer.cells, repetition.entry);
      if (mixed !== undefined) this.#session.emit({ kind: 'warning', message: mixed });
      stored.push(await this.#store.add(repetition, cells.length > 1));
    }
    for (const [place, cell] of cells.entries()) {
      this.#report(cell, stored[place] as Cell, { seconds, unreported: cells.length - 1 - place });
    }
  }

  /** Adds the duration of a teardown to the entries that were measured before it. */
  async #stopped(cells: readonly ExperimentCell[], repetition: number, stopMs: number): Promise<void> {
    const entries = cells.flatMap(({ levels }) => this.#writer.entryOf(levels, repetition) ?? []);
    const measured = entries.filter(({ deployment }) => deployment?.readyMs !== undefined);
    if (measured.length > 0) {
      await this.#writer.storeDeployments(measured.map((entry) => withDeploymentCost(entry, { stopMs })));
    }
  }

  /** @param unreported stored cells of the same load that have not been reported yet */
  #report(cell: ExperimentCell, entry: Cell, { seconds, unreported }: { seconds: number; unreported: number }): void {
    const guess = this.#estimate.secondsOf(cell);
    this.#remaining.finished(guess, seconds);
    const remeasure = this.#open.remeasured().has(entry);
    if (remeasure) this.#remaining.added(guess);
    const { finished, ...progress } = this.#progress();
    this.#session.emit({
      kind: 'repetition',
      entry,
      remeasure,
      ...progress,
      finished: remeasure ? finished : finished - unreported,
    });
  }

  #progress(): { finished: number; repetitions: number; remainingSeconds: number } {
    return {
      finished: this.#writer.cells.length - this.#open.remeasured().size,
      repetitions: this.#resolved.cells.length * this.#resolved.experiment.repetitions,
      remainingSeconds: this.#remaining.seconds,
    };
  }
}
