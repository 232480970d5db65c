/**
 * The port between a run and what it measures: deployments, and measurements on them. It has a measured and a simulated
 * implementation; tests use a fake.
 */
import type { GatewayRequest, Sample, Span } from '@topo-bench/core';
import type { Cell, Host } from '@topo-bench/core/schema/result';
import type { ExperimentCell } from './build-cell.ts';
import type { Phase } from './run-event.ts';

export interface Backend {
  /** Kind of data in its entries, those of failed repetitions included. */
  readonly source: Cell['source'];
  /** Rejects if this machine lacks a requirement of a cell. Called once, before anything is written or started. */
  check?(cells: readonly ExperimentCell[]): Promise<void>;
  /** Deploys a cell. Rejects with the cause of a failure, or with the reason of the signal. */
  deploy(cell: ExperimentCell, signal: AbortSignal): Promise<TestBed>;
  /** Deploys all of these cells at the same time and warms them up. Rejects as `deploy` does. */
  deployTogether(cells: readonly ExperimentCell[], context: MeasureContext): Promise<JointTestBed>;
  /** Tears down what all cells of a run share. Called once, at the end of the run. */
  close?(): Promise<void>;
}

/** A deployment on which cells of one kind are measured, one after the other. */
export interface TestBed {
  /** Machines of its roles; absent without roles. */
  readonly hosts?: readonly Host[];
  /** The first measurement includes the warm-up. Rejects with the reason of the signal on abort. */
  measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition>;
  /**
   * Waits, up to a limit, until the last measurement can no longer affect the next, e.g. through a backlog.
   * @returns false if a role is dead or requests never end
   */
  recover(next: ExperimentCell, context: MeasureContext): Promise<boolean>;
  /** Tears everything down; may be called several times. */
  close(): Promise<void>;
}

/** Joint deployments: cells of one load are measured at the same time. */
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
  /** Every generated request, if requested. */
  requests: (GatewayRequest & { id: string })[];
  /** Traced intervals, if requested. */
  spans: Span[];
}
