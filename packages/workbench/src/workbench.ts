/**
 * An opened experiment: its problems and cells, and everything that can be done with them. Command line and pages are
 * faces of it. Code that measures loads when it is used.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { ExperimentInputs } from '@topo-bench/experiment/read-inputs';
import {
  type CheckedExperiment,
  checkExperiment,
  type ResolvedExperiment,
  resolvedOf,
} from '@topo-bench/experiment/resolve-experiment';
import { parseSource } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import type { Estimate, EstimateOptions } from './estimate.ts';
import type { Gate, GateChoices, GateOptions, Pairing } from './gate/pairing.ts';
import { type Locate, type OpenProblem, problemOfChoice, problemsOfFailure } from './open-problem.ts';
import type { Opened } from './opened.ts';
import type { Run, RunOptions } from './run.ts';
import type { Backends } from './setting.ts';

type Checked = CheckedExperiment & { failure?: TopoBenchError };

export class Workbench {
  readonly #opened: Opened;
  #checked: Checked | undefined;

  /** Use `open` or `reopen`. */
  constructor(opened: Opened) {
    this.#opened = opened;
  }

  /** Errors and warnings in reading order; empty when all is well. */
  get problems(): readonly OpenProblem[] {
    const { failure, refused, problems } = this.#check();
    const { file, inputs, source = inputs?.experiment } = this.#opened;
    const locate: Locate = (path) => (source ? parseSource(source).locate(path) : { file, line: 1, column: 1 });
    if (failure) return problemsOfFailure(failure, 'topology', locate);
    return refused ? [problemOfChoice(refused, locate)] : problems;
  }

  /** Empty while there are errors. */
  get cells(): readonly ExperimentCell[] {
    return this.#check().resolved?.cells ?? [];
  }

  /** @throws TopoBenchError for a text that could not be read */
  get inputs(): ExperimentInputs {
    const { inputs, failure } = this.#opened;
    if (inputs) return inputs;
    throw failure;
  }

  /** @throws TopoBenchError while there are errors: of a choice, or with all problems of the texts */
  get resolved(): ResolvedExperiment {
    const checked = this.#check();
    if (checked.failure) throw checked.failure;
    return resolvedOf(this.inputs, checked);
  }

  /** The condition of a search for the max rate; undefined for a run of all cells. */
  get search(): string | undefined {
    return this.#opened.search;
  }

  /**
   * The same experiment as a search for the max rate. All lines are deployed together, and their rates come from the
   * search.
   * @param condition e.g. `p95<50ms`
   * @param flag what the caller names the search
   * @throws TopoBenchError `TB_LOAD_CONDITION`, `TB_EXPERIMENT_INTERLEAVED`, and while there are errors
   */
  async searching(condition: string, flag: string): Promise<Workbench> {
    const [{ parseCondition }, { requireSearchable }] = await Promise.all([
      import('@topo-bench/results/find-max'),
      import('@topo-bench/experiment/searchable'),
    ]);
    parseCondition(condition);
    // As it stands first: what the search needs is reported by the name of its flag, not of `deploy`.
    requireSearchable(this.resolved.cells, flag);
    const choices = { ...this.inputs.choices, set: { ...this.inputs.choices.set, deploy: 'interleaved' } };
    return new Workbench({ ...this.#opened, choices, inputs: { ...this.inputs, choices }, search: condition });
  }

  /**
   * Time, memory and processes of the run; for a run to continue, of the repetitions that it lacks.
   * @throws TopoBenchError as `resolved`, and `TB_EXPERIMENT_TOO_MANY_PROCESSES`
   */
  async estimate(backends: Backends, options: EstimateOptions = {}): Promise<Estimate> {
    const { resolved } = this;
    const { estimateOf } = await import('./estimate.ts');
    return estimateOf(resolved, backends, { ...options, folder: this.#opened.folder });
  }

  /**
   * Measures all cells, or searches the max rate; continues the run that was reopened.
   * @throws TopoBenchError as `resolved`, `runExperiment` and `runFindMax`
   */
  async run(options: RunOptions): Promise<Run> {
    const { resolved } = this;
    const { folder, search } = this.#opened;
    const { measure } = await import('./run.ts');
    return measure(resolved, { ...options, ...(folder !== undefined && { folder }) }, folder !== undefined, search);
  }

  /**
   * Two sides of the experiment to measure in turns, each changed as chosen.
   * @throws TopoBenchError as `resolveSides`, `TB_USAGE` and `TB_METRIC_UNKNOWN` for thresholds
   */
  async pair(sides: GateChoices): Promise<Pairing> {
    const { inputs } = this;
    const { pairingOf } = await import('./gate/pairing.ts');
    return pairingOf(this.#opened, inputs, sides);
  }

  /** Measures two sides in turns until their spread allows a verdict, and judges them. Throws as `pair`. */
  async gate(sides: GateChoices, options: GateOptions): Promise<Gate> {
    return (await (await this.pair(sides)).measure(options)).judged();
  }

  #check(): Checked {
    this.#checked ??= this.#checkOnce();
    return this.#checked;
  }

  #checkOnce(): Checked {
    const { inputs, failure, studies } = this.#opened;
    if (!inputs) return { problems: [], failure: failure as TopoBenchError };
    try {
      return checkExperiment(inputs, studies);
    } catch (error) {
      if (error instanceof TopoBenchError) return { problems: [], failure: error };
      throw error;
    }
  }
}
