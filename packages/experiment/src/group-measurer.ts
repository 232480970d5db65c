/** Measures the loads of a deployed group on one test bed, or on a new one after a load that cannot be recovered. */
import { TopoBenchError } from '@topo-bench/core';
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
  /** Called with a failure that does not end the run. */
  onFailure(error: TopoBenchError): void;
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
    let bed: JointTestBed | undefined;
    try {
      for (const [at, cells] of loads.entries()) {
        const startMs = performance.now();
        const context = this.#options.contextOf(cells, repetition);
        let repetitions: MeasuredRepetition[];
        try {
          bed = await this.#testBedFor(loads.slice(at).flat(), bed, context);
          repetitions = await bed.measure(cells, repetition, context);
        } catch (error) {
          await bed?.close();
          bed = undefined;
          repetitions = this.#survived(cells, repetition, error, context);
        }
        yield { cells, repetitions, seconds: (performance.now() - startMs) / 1e3 / cells.length };
      }
    } finally {
      await bed?.close();
    }
  }

  /**
   * The open test bed if it can be reused, else a new one.
   * @param cells to be measured on it, those of the next load first
   */
  async #testBedFor(
    cells: readonly ExperimentCell[],
    present: JointTestBed | undefined,
    context: MeasureContext,
  ): Promise<JointTestBed> {
    const [next] = cells as [ExperimentCell];
    context.signal.throwIfAborted();
    if (await present?.recover(next, context)) return present as JointTestBed;
    await present?.close();
    context.onPhase('deploy');
    const { backend } = this.#options;
    const bed =
      next.settings.deploy === 'interleaved'
        ? await backend.deployTogether(cells, context)
        : aloneOn(await backend.deploy(next, context.signal));
    this.#deployedOnce = true;
    await this.#options.onDeployed(bed);
    return bed;
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
    const ends =
      !(error instanceof TopoBenchError) || error.code.startsWith('TB_RUN_FOLDER_') || error.code === 'TB_INTERNAL';
    if (ends || signal.aborted || !this.#deployedOnce) throw error;
    const { backend, onFailure } = this.#options;
    onFailure(error);
    return cells.map((cell) => failedRepetition(cell, repetition, error, backend.source));
  }
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
