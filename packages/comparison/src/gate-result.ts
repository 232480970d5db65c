/** What a gate answers: per threshold and cell, and in one word. */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { CellComparison, CellVerdict, SideCounts } from './compare-cells.ts';

export type GateVerdict = 'passed' | 'failed' | 'cannot tell';

/** As in a comparison, with the threshold's answer beside; of an absolute threshold only the candidate's figure is known. */
export interface GateCell
  extends Pick<
    CellComparison,
    'metric' | 'baseline' | 'candidate' | 'difference' | 'differencePercent' | 'interval' | 'saturated'
  > {
  factors: FactorLevels;
  threshold: string;
  /** Null: neither is shown. */
  passed: boolean | null;
  /** Of a relative threshold: one-sided, of the limit being exceeded; adjusted over all cells (max-T) as `adjustedPValue`. */
  pValue: number;
  adjustedPValue?: number;
  intervalPercent?: [low: number, high: number];
  /**
   * Of a relative threshold: smallest change in % of this cell alone, while all others stay as they are, that would have been shown four times
   * out of five. Infinite (−100 of figures that must not fall): none. Absent where the host was saturated.
   */
  detectablePercent?: number;
  /** Of a relative threshold what the comparison says, else that of the threshold. */
  verdict: CellVerdict | GateVerdict;
  reason?: string;
  repetitions: { baseline?: SideCounts; candidate: SideCounts };
  repetitionsNeeded?: number;
}

export interface ThresholdResult {
  threshold: string;
  metric: string;
  kind: 'relative' | 'absolute';
  limit: number;
  verdict: GateVerdict;
  /** A sentence without its full stop. */
  reason: string;
  cells: GateCell[];
  /** Relative thresholds: all cells at once. */
  pooled?: {
    repetitions: number;
    differencePercent: number;
    intervalPercent: [low: number, high: number];
    /** One-sided, of the limit being exceeded. */
    pValue: number;
    /** If all cells changed alike: what would have been shown beyond the limit four times out of five. */
    minimumDetectablePercent: number;
  };
  /** Of an undecided threshold: repetitions a side that would tell. */
  repetitionsNeeded?: number;
}

export interface GateResult {
  verdict: GateVerdict;
  thresholds: ThresholdResult[];
  notes: string[];
}
