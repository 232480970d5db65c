/**
 * The port that a run measures through: deployments, and measurements on them. Measured or simulated; tests use a fake.
 */
import type { GatewayRequest, Sample, Span } from '@topo-bench/core';
import type { Cell, Host } from '@topo-bench/core/schema/result';
import type { ExperimentCell } from './build-cell.ts';
import type { Phase } from './run-event.ts';

export interface Backend {
  /** Of its entries, those of repetitions that failed included. */
  readonly source: Cell['source'];
  /** Rejects when this machine lacks what a cell needs. Called once, before anything is written or started. */
  check?(cells: readonly ExperimentCell[]): Promise<void>;
  /** Starts what a cell needs. Rejects with the reason when it cannot, or with that of the signal. */
  deploy(cell: ExperimentCell, signal: AbortSignal): Promise<TestBed>;
  /** Starts what all of these cells need, at the same time, and warms it up. Rejects as `deploy` does. */
  deployTogether(cells: readonly ExperimentCell[], context: MeasureContext): Promise<JointTestBed>;
  /** Ends what serves all cells of a run. Called once, when the run ends. */
  close?(): Promise<void>;
}

/** A deployment on which cells of one kind are measured, one after the other. */
export interface TestBed {
  /** Machines that its roles run on; absent where none do. */
  readonly hosts?: readonly Host[];
  /** The first measurement warms up first. Rejects with the signal's reason when that aborts. */
  measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition>;
  /**
   * Waits, within a bound, until nothing of the last measurement would touch the next: a backlog, say.
   * @returns false when that cannot be: a role is dead, requests never end
   */
  recover(next: ExperimentCell, context: MeasureContext): Promise<boolean>;
  /** Ends everything; may be called again. */
  close(): Promise<void>;
}

/** Deployments that stand together: cells of one load are measured at once. */
export interface JointTestBed extends Omit<TestBed, 'measure'> {
  /** @returns in the order of the cells */
  measure(cells: readonly ExperimentCell[], repetition: number, context: MeasureContext): Promise<MeasuredRepetition[]>;
}

export interface MeasureContext {
  signal: AbortSignal;
  onPhase: (phase: Phase, detail?: string) => void;
}

export interface MeasuredRepetition {
  entry: Cell;
  samples: Sample[];
  /** Every request that was generated, when asked for. */
  requests: (GatewayRequest & { id: string })[];
  /** Traced intervals, when asked for. */
  spans: Span[];
}
