/** Measures the loads of a deployed group on one test bed, or on a new one after a load that cannot be recovered. */
import { isDiskFullError, TopoBenchError } from '@topo-bench/core';
import { withDeploymentCost } from '@topo-bench/results';
import type { Backend } from './backend.ts';
import { failedRepetition } from './failed-repetition.ts';
import type { DeployedGroup } from './round-plan.ts';
import type { ExperimentCell, JointTestBed, MeasureContext, MeasuredRepetition, TestBed } from './study.ts';

export interface MeasuredLoad {
  /** Measured at once. */
  cells: readonly ExperimentCell[];
  /** In the order of the cells. */
  repetitions: readonly MeasuredRepetition[];
  /** Per cell, including its share of the deployment. */
  seconds: number;
}

export interface GroupMeasurerOptions {
  backend: Backend;
  contextOf(cells: readonly ExperimentCell[], repetition: number): MeasureContext;
  /** Called with every new test bed, before its first measurement. */
  onDeployed(bed: JointTestBed): Promise<void>;
  /**
   * Called with the duration of a teardown and the cells that were measured on its deployment. Not called for
   * deployments that stopped together, nor after a failure.
   */
  onStopped(cells: readonly ExperimentCell[], repetition: number, stopMs: number): Promise<void>;
  /** Called with a failure that does not end the run. */
  onFailure(error: TopoBenchError): void;
}

/** A test bed with the cells that were measured on it. */
interface OpenBed {
  bed: JointTestBed;
  measured: ExperimentCell[];
  /** Whether it has one deployment. */
  isAlone: boolean;
}

export class GroupMeasurer {
  readonly #options: GroupMeasurerOptions;
  /** Whether any deployment of this session has succeeded. */
  #deployedOnce = false;

  constructor(options: GroupMeasurerOptions) {
    this.#options = options;
  }

  /** Yields load by load. The test bed closes after the last one, or when the caller breaks out. */
  async *measure({ loads }: DeployedGroup, repetition: number): AsyncGenerator<MeasuredLoad> {
    let open: OpenBed | undefined;
    try {
      for (const [at, cells] of loads.entries()) {
        const startMs = performance.now();
        const context = this.#options.contextOf(cells, repetition);
        let repetitions: MeasuredRepetition[];
        try {
          open = await this.#testBedFor(loads.slice(at).flat(), open, repetition, context);
          repetitions = await this.#withCost(cells, await open.bed.measure(cells, repetition, context));
          open.measured.push(...cells);
        } catch (error) {
          await open?.bed.close();
          open = undefined;
          repetitions = this.#survived(cells, repetition, error, context);
        }
        yield { cells, repetitions, seconds: (performance.now() - startMs) / 1e3 / cells.length };
      }
      const last = open;
      open = undefined;
      await this.#close(last, repetition);
    } finally {
      await open?.bed.close();
    }
  }

  /**
   * The open test bed if it can be reused, else a new one.
   * @param cells to be measured on it, those of the next load first
   */
  async #testBedFor(
    cells: readonly ExperimentCell[],
    present: OpenBed | undefined,
    repetition: number,
    context: MeasureContext,
  ): Promise<OpenBed> {
    const [next] = cells as [ExperimentCell];
    context.signal.throwIfAborted();
    if (present && (await present.bed.recover(next, context))) return present;
    await this.#close(present, repetition);
    context.onPhase('deploy');
    const { backend } = this.#options;
    const isAlone = next.settings.deploy !== 'interleaved';
    const bed = isAlone ? aloneOn(await backend.deploy(next, context)) : await backend.deployTogether(cells, context);
    this.#deployedOnce = true;
    await this.#options.onDeployed(bed);
    return { bed, measured: [], isAlone };
  }

  async #withCost(
    cells: readonly ExperimentCell[],
    repetitions: readonly MeasuredRepetition[],
  ): Promise<MeasuredRepetition[]> {
    const { backend } = this.#options;
    return Promise.all(
      repetitions.map(async (repetition, at) => {
        const cost = repetition.entry.deployment && (await backend.figuresOf?.(cells[at] as ExperimentCell));
        return cost ? { ...repetition, entry: withDeploymentCost(repetition.entry, cost) } : repetition;
      }),
    );
  }

  async #close(open: OpenBed | undefined, repetition: number): Promise<void> {
    if (!open) return;
    const startMs = performance.now();
    await open.bed.close();
    const stopMs = performance.now() - startMs;
    if (open.isAlone && open.measured.length > 0) await this.#options.onStopped(open.measured, repetition, stopMs);
  }

  /**
   * A failed deployment or measurement makes its repetition invalid. The run continues if a deployment has succeeded
   * before.
   * @throws the error if the run cannot continue
   */
  #survived(
    cells: readonly ExperimentCell[],
    repetition: number,
    error: unknown,
    { signal }: MeasureContext,
  ): MeasuredRepetition[] {
    const ends = !(error instanceof TopoBenchError) || isFinal(error);
    if (ends || signal.aborted || !this.#deployedOnce) throw error;
    const { backend, onFailure } = this.#options;
    onFailure(error);
    return cells.map((cell) => failedRepetition(cell, repetition, error, backend.source));
  }
}

/**
 * Later deployments would share the machine with one that could not be removed, and a full disk is full for them too.
 */
function isFinal(error: TopoBenchError): boolean {
  const { code } = error;
  if (code.startsWith('TB_RUN_FOLDER_') || isDiskFullError(error)) return true;
  return code === 'TB_INTERNAL' || code === 'TB_NOT_REMOVED';
}

/** A test bed that measures one cell at a time. */
function aloneOn(bed: TestBed): JointTestBed {
  return {
    ...(bed.hosts && { hosts: bed.hosts }),
    measure: ([cell], repetition, context) =>
      bed.measure(cell as ExperimentCell, repetition, context).then((measured) => [measured]),
    recover: (next, context) => bed.recover(next, context),
    close: () => bed.close(),
  };
}
