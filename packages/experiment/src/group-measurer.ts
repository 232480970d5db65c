/** Measures the loads of deployed groups. A failure that need not end the run makes its repetitions invalid. */
import { isDiskFullError, TopoBenchError } from '@topo-bench/core';
import { openServiceTexts } from '@topo-bench/results';
import type { ExperimentCell, MeasuredRepetition } from '@topo-bench/trial';
import { failedRepetition } from './failed-repetition.ts';
import { type BedOptions, KeptBed } from './kept-bed.ts';
import type { DeployedGroup } from './round-plan.ts';
import type { Session } from './session.ts';

export interface MeasuredLoad {
  /** Measured at once. */
  cells: readonly ExperimentCell[];
  /** In the order of the cells. */
  repetitions: readonly MeasuredRepetition[];
  /** Per cell, including its share of the deployment. */
  seconds: number;
}

export interface GroupOptions extends Pick<BedOptions, 'onStopped'> {
  /** What has to succeed once; every failure before it ends the run. */
  mustWorkOnce: 'deployment' | 'measurement';
}

export class GroupMeasurer {
  readonly #options: GroupOptions;
  #workedOnce = false;
  readonly #warned = new Set<string>();

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  /**
   * Yields load by load. The test bed closes after the last one, or when the caller breaks out.
   * @param together as `BedOptions.together`
   */
  async *measure(
    { loads }: Pick<DeployedGroup, 'loads'>,
    repetition: number,
    session: Session,
    together?: BedOptions['together'],
  ): AsyncGenerator<MeasuredLoad> {
    const { onStopped, mustWorkOnce } = this.#options;
    const works = (what: GroupOptions['mustWorkOnce']): void => {
      this.#workedOnce ||= what === mustWorkOnce;
    };
    const bed = new KeptBed(session, { onStopped, together, onDeployed: () => works('deployment') });
    try {
      for (const [at, cells] of loads.entries()) {
        const startMs = performance.now();
        const context = session.contextOf(cells, repetition);
        let repetitions: MeasuredRepetition[];
        try {
          repetitions = await bed.measure(cells, loads.slice(at).flat(), repetition, context);
          works('measurement');
          this.#warnOfOpenServices(repetitions, session);
        } catch (error) {
          await bed.abandon();
          repetitions = this.#survived(cells, repetition, error, session);
        }
        yield { cells, repetitions, seconds: (performance.now() - startMs) / 1e3 / cells.length };
      }
      await bed.close(repetition);
    } finally {
      await bed.abandon();
    }
  }

  /** One warning for each service. */
  #warnOfOpenServices(repetitions: readonly MeasuredRepetition[], session: Session): void {
    for (const text of openServiceTexts(repetitions.map(({ entry }) => entry))) {
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      session.emit({ kind: 'warning', message: `${text}, past its enforcement point` });
    }
  }

  /** @throws the error if the run cannot continue */
  #survived(
    cells: readonly ExperimentCell[],
    repetition: number,
    error: unknown,
    session: Session,
  ): MeasuredRepetition[] {
    const ends = !(error instanceof TopoBenchError) || isFinal(error);
    if (ends || session.signal.aborted || !this.#workedOnce) throw error;
    session.emit({ kind: 'warning', message: `${error.code}: ${error.message}` });
    return cells.map((cell) => failedRepetition(cell, repetition, error, session.backend.source));
  }
}

/**
 * Later deployments would share the machine with one that could not be removed, and a full disk is full for them too.
 */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof TopoBenchError)) return false;
  const { code } = error;
  if (code.startsWith('TB_RUN_FOLDER_') || isDiskFullError(error)) return true;
  return code === 'TB_INTERNAL' || code === 'TB_NOT_REMOVED';
}
