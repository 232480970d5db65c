/**
 * The port between a run and what it measures: deployments, and measurements on them. It has a measured and a simulated
 * implementation; tests use a fake.
 */
import type { Cell } from '@topo-bench/core/schema/result';
import type { DeploymentFigures } from './deployment-starts.ts';
import type { ExperimentCell, JointTestBed, MeasureContext, TestBed } from './study.ts';

export interface Backend {
  /** Kind of data in its entries, those of failed repetitions included. */
  readonly source: Cell['source'];
  /**
   * Rejects if this machine lacks a requirement of a cell. Called once, before anything is written or started.
   * @param signal ends pulls and builds of images
   */
  check?(cells: readonly ExperimentCell[], signal: AbortSignal): Promise<void>;
  /** Returns parts of the topology that it does not apply, one sentence each. Called once, after `check`. */
  notices?(cells: readonly ExperimentCell[]): Promise<string[]>;
  /** Deploys a cell. Rejects with the cause of a failure, or with the reason of the signal. */
  deploy(cell: ExperimentCell, context: MeasureContext): Promise<TestBed>;
  /** Deploys all of these cells at the same time and warms them up. Rejects as `deploy` does. */
  deployTogether(cells: readonly ExperimentCell[], context: MeasureContext): Promise<JointTestBed>;
  /**
   * Figures of the latest deployment of a cell, once it has been measured; undefined, or without the function: it has
   * none.
   */
  figuresOf?(cell: ExperimentCell): Promise<DeploymentFigures | undefined>;
  /** Tears down what all cells of a run share. Called once, at the end of the run. */
  close?(): Promise<void>;
}
