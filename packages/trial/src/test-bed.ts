/** What a backend deploys: a test bed on which cells are measured, one at a time or several in turns. */
import type { DeploymentProfile, GatewayRequest, Sample, Span } from '@topo-bench/core';
import type { Cell, Host } from '@topo-bench/core/schema/result';
import type { Phase } from './run-event.ts';
import type { ExperimentCell } from './study.ts';

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
  /** Prints a remark on something that does not affect the measurement. */
  onWarning?: (message: string) => void;
}

export interface MeasuredRepetition {
  entry: Cell;
  samples: Sample[];
  /** Every generated request, if requested. */
  requests: (GatewayRequest & { id: string })[];
  /** Traced intervals, if requested. */
  spans: Span[];
  /** CPU profile of the load, if requested and the runner takes any. */
  profile?: DeploymentProfile;
}
