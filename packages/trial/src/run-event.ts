/** Events of a run, for progress output. */
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';

export type Phase = 'deploy' | 'warm-up' | 'load' | 'drain' | 'collect' | 'check' | 'tear-down';

export type RunEvent =
  | {
      kind: 'started';
      source: Cell['source'];
      runDir: string;
      repetitions: number;
      finished: number;
      remainingSeconds: number;
    }
  /** `others`: number of cells that take turns with this one. */
  | { kind: 'phase'; phase: Phase; cell: FactorLevels; repetition: number; others?: number; detail?: string }
  /**
   * A repetition is on the disk. `finished` of `repetitions` are done; with `remeasure` this one is not. Repeated when
   * the complete round changes its verdict.
   */
  | {
      kind: 'repetition';
      entry: Cell;
      remeasure: boolean;
      finished: number;
      repetitions: number;
      remainingSeconds: number;
    }
  /** A pair of repetitions of a gate: both are on the disk. */
  | { kind: 'pair'; baseline: Cell; candidate: Cell }
  /** A load of a search for the max rate: how it did, in words. */
  | { kind: 'probe'; cell: FactorLevels; text: string }
  /** A part of the topology that the runner does not apply. */
  | { kind: 'notice'; message: string }
  /** A failure that does not end the run. */
  | { kind: 'warning'; message: string };
