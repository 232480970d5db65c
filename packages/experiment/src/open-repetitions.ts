/** The open repetitions of a run: those without an entry, and disturbed ones that are remeasured. */
import { cellKey, repetitionKey } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { RunWriter } from '@topo-bench/results';
import type { ExperimentCell } from '@topo-bench/trial';
import { disturbedEntries, maxRemeasured } from './remeasure.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { type DeployedGroup, type Limits, roundPlan } from './round-plan.ts';

/** Cells of the open repetitions of a stored run, one entry for each repetition. */
export function openCells(resolved: ResolvedExperiment, limits: Limits, cells: readonly Cell[]): ExperimentCell[] {
  const entries = new Map(cells.map((entry) => [repetitionKey(entry.factors, entry.repetition), entry]));
  return new OpenRepetitions(resolved, limits, {
    cells,
    entryOf: (levels, repetition) => entries.get(repetitionKey(levels, repetition)),
  }).cells;
}

export class OpenRepetitions {
  readonly #resolved: ResolvedExperiment;
  readonly #limits: Limits;
  readonly #writer: Pick<RunWriter, 'cells' | 'entryOf'>;
  /** The cells that take turns with a cell, itself included, by the key of its levels. */
  readonly #mates: ReadonlyMap<string, readonly ExperimentCell[]>;

  constructor(resolved: ResolvedExperiment, limits: Limits, writer: Pick<RunWriter, 'cells' | 'entryOf'>) {
    this.#resolved = resolved;
    this.#limits = limits;
    this.#writer = writer;
    const loads = roundPlan(resolved.cells, limits, resolved.experiment.seed, 1).flatMap((group) => group.loads);
    this.#mates = new Map(loads.flatMap((load) => load.map(({ levels }) => [cellKey(levels), load] as const)));
  }

  /** A round is one repetition of every cell; from 1. */
  get rounds(): number[] {
    return Array.from({ length: this.#resolved.experiment.repetitions }, (_, index) => index + 1);
  }

  /** Entries of all rounds, in the order measured. */
  get cells(): ExperimentCell[] {
    return this.rounds.flatMap((round) => this.of(round).flatMap(({ members }) => [...members]));
  }

  /**
   * The order is that of the whole plan, also after an interruption. Cells that take turns are measured together: if
   * one cell of a load is open, all are.
   */
  of(round: number): DeployedGroup[] {
    const { cells, experiment } = this.#resolved;
    const remeasured = this.remeasured();
    const isOpen = ({ levels }: ExperimentCell): boolean => {
      const entry = this.#writer.entryOf(levels, round);
      return entry === undefined || remeasured.has(entry);
    };
    return roundPlan(cells, this.#limits, experiment.seed, round)
      .map(({ loads }) => loads.filter((load) => load.some(isOpen)))
      .filter((loads) => loads.length > 0)
      .map((loads) => ({ members: loads.flat(), loads }));
  }

  /**
   * Disturbed entries, and those that took turns with them. A round with any other fault is final: a better measurement
   * must not replace a fault.
   */
  remeasured(): ReadonlySet<Cell> {
    const { cells, experiment } = this.#resolved;
    const max = maxRemeasured(cells.length * experiment.repetitions, experiment.validity.remeasure);
    const rounds = [...disturbedEntries(this.#writer.cells, max)].map((entry) => [
      entry,
      ...(this.#mates.get(cellKey(entry.factors)) ?? []).flatMap(
        ({ levels }) => this.#writer.entryOf(levels, entry.repetition) ?? [],
      ),
    ]);
    return new Set(rounds.filter((round) => round.every(({ validity }) => validity.valid || validity.onlyLate)).flat());
  }
}
