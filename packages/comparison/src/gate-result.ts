/** The result of a gate: an overall verdict, and details by threshold and cell. */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { CellComparison, CellVerdict, SideCounts } from './compare-cells.ts';
import type { ProfileDifference } from './profiles/compare-profiles.ts';

export type GateVerdict = 'passed' | 'failed' | 'cannot tell';

/** A cell judged by a threshold. Absolute thresholds have a figure of the candidate only; the others are NaN. */
export interface GateCell
  extends Pick<
    CellComparison,
    'metric' | 'baseline' | 'candidate' | 'difference' | 'differencePercent' | 'interval' | 'saturated'
  > {
  factors: FactorLevels;
  threshold: string;
  /** Null: undecided. */
  passed: boolean | null;
  /** Relative thresholds: one-sided p-value of the limit being exceeded. `adjustedPValue`: over all cells (max-T). */
  pValue: number;
  adjustedPValue?: number;
  intervalPercent?: [low: number, high: number];
  /**
   * Relative thresholds: smallest change in % of this cell alone that the test finds with a power of 80%. Infinite, or
   * −100 for figures that must not fall: no change can be found. Absent when the host was saturated.
   */
  detectablePercent?: number;
  /** Relative thresholds: verdict of the comparison. Absolute thresholds: verdict of the threshold. */
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
  /** A sentence without a full stop. */
  reason: string;
  cells: GateCell[];
  /** Relative thresholds: the test on all cells pooled. */
  pooled?: {
    repetitions: number;
    differencePercent: number;
    intervalPercent: [low: number, high: number];
    /** One-sided p-value of the limit being exceeded. */
    pValue: number;
    /** Smallest change of all cells alike, in % beyond the limit, that the test finds with a power of 80%. */
    minimumDetectablePercent: number;
  };
  /** Undecided thresholds: estimated repetitions a side needed to decide. */
  repetitionsNeeded?: number;
}

export interface GateResult {
  verdict: GateVerdict;
  thresholds: ThresholdResult[];
  notes: string[];
  /** What passes or fails, in the outputs; default: a gate. */
  subject?: 'gate' | 'confirmation';
  /** Side-by-side gates, if requested: the functions behind the difference. No part of the verdict. */
  profile?: GateProfile;
}

export interface GateProfile extends ProfileDifference {
  /** The profiled cell. */
  factors: FactorLevels;
}
