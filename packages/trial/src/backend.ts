/**
 * The port between a run and what it measures: deployments, and measurements on them. It has a measured and a simulated
 * implementation; tests use a fake.
 */
import type { Cell, NetworkPolicyFigures, SimulationRecord } from '@topo-bench/core/schema/result';
import type { Effort } from './effort.ts';
import type { ExperimentCell } from './study.ts';
import type { JointTestBed, MeasureContext, TestBed } from './test-bed.ts';

export interface Backend {
  /** Kind of data in its entries, those of failed repetitions included. */
  readonly source: Cell['source'];
  /** What simulated figures stand for; absent in a backend that measures. */
  readonly simulation?: SimulationRecord;
  /** Its capacity for these cells, and its time. @throws TopoBenchError for data that cannot be read */
  effortOf(cells: readonly ExperimentCell[]): Promise<Effort>;
  /**
   * Rejects if this machine lacks a requirement of a cell. Called before anything is written or started.
   * @param signal ends pulls and builds of images
   */
  check?(cells: readonly ExperimentCell[], signal: AbortSignal): Promise<void>;
  /** Returns parts of the topology that it does not apply, one sentence each. Called after `check`. */
  notices?(cells: readonly ExperimentCell[]): Promise<string[]>;
  /** Deploys a cell. Rejects with the cause of a failure, or with the reason of the signal. */
  deploy(cell: ExperimentCell, context: MeasureContext): Promise<TestBed>;
  /** Deploys all of these cells at the same time and warms them up. Rejects as `deploy` does. */
  deployTogether(
    cells: readonly ExperimentCell[],
    context: MeasureContext,
    options?: JointOptions,
  ): Promise<JointTestBed>;
  /**
   * Figures of the latest deployment of a cell, once it has been measured; undefined, or without the function: it has
   * none.
   */
  figuresOf?(cell: ExperimentCell): Promise<DeploymentFigures | undefined>;
  /** Tears down what all cells of a run share. Called once, at the end of the run. */
  close?(): Promise<void>;
}

export interface JointOptions {
  /** Index of the deployment that starts first; the others follow in their order. Default: 0. */
  first?: number;
  /** Leaves out slices in which requests left late, on all deployments alike. */
  leaveOutLate?: boolean;
  /** Takes CPU profiles of the deployments while they are measured, which slows them down. */
  profile?: boolean;
}

/** The cost of a deployment. */
export interface DeploymentFigures {
  /** From the call of the runner until every role was ready. */
  readyMs: number;
  /** Sum over all roles; absent when it is unknown for one of them. */
  memoryBytes?: number;
  networkPolicies?: NetworkPolicyFigures;
}
