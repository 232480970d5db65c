/**
 * How a kind of study is measured: with roles that a runner deploys, or without. The package `studies` has one folder
 * for each kind. Measuring code loads when a test bed opens, not before.
 */
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { Launcher } from '@topo-bench/loadgen';
import type { Runner, RunnerOptions } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { ExperimentCell, JointOptions, JointTestBed, MeasureContext, Study, TestBed } from '@topo-bench/trial';
import type { StartedRoles } from './start-roles.ts';
import type { ServiceStore } from './stores/prepare-stores.ts';
import type { RepetitionSize } from './time-estimate.ts';

export type MeasuredStudy = StudyWithRoles | StudyWithoutRoles;

interface EstimatedStudy extends Study {
  /**
   * Estimated size of a repetition, if it is not that of requests at a rate.
   * @param dataRows of `userData`
   */
  sizeOf?(cell: ExperimentCell, dataRows?: number): Partial<RepetitionSize>;
}

/** Its services are deployed by a runner, and it loads them. */
export type StudyWithRoles = StudyInTurns | StudyOneByOne;

interface DeployedStudy extends EstimatedStudy {
  /** Rejects if this machine lacks a requirement of the cells. */
  require?(cells: readonly ExperimentCell[]): Promise<void>;
  /** Prepares a deployment for measurements. If it rejects, the caller stops the deployment. */
  open(deployed: DeployedCell, signal: AbortSignal): Promise<TestBed>;
}

export interface StudyOneByOne extends DeployedStudy {
  readonly takesTurns: false;
}

export interface StudyInTurns extends DeployedStudy {
  readonly takesTurns: true;
  /**
   * Deploys and warms up cells that take turns under load.
   * @throws TopoBenchError errors of the runner, or the death of a role that caused them; all processes are stopped by
   *   then
   */
  openTogether(setups: readonly SideSetup[], options: JointSetup, context: MeasureContext): Promise<JointTestBed>;
}

/** Deploys no roles: its programs and servers are its own. */
export interface StudyWithoutRoles extends EstimatedStudy {
  readonly takesTurns: false;
  /** What the cells of a run share. Called at most once for a run. */
  openRun(environment: RunEnvironment): Promise<StudyRun>;
  /** Estimated seconds of what a run does once for these cells, e.g. loads of tables. */
  onceSeconds?(cells: readonly ExperimentCell[], dataRowsOf: (cell: ExperimentCell) => number | undefined): number;
  /** User-supplied data that a repetition reads; undefined if its data is generated. */
  userData?(settings: ExperimentFile): UserData | undefined;
}

export interface UserData {
  /** The same for cells that read the same data. */
  key: string;
  /** Rows that estimates assume where their number is not known. */
  assumedRows: number;
  /** Undefined if it is not known before the run. Rejects if the data is missing. */
  rows(): Promise<number | undefined>;
}

/** What a study without roles gets from the run. */
export interface RunEnvironment {
  /** Connection strings of user-supplied database servers, from flags. */
  serverUrls: ServerUrls;
  /** Addresses of servers that only one kind of study uses, by the names of their flags. */
  addresses?: Readonly<Record<string, string>>;
  /** Folder for logs of processes. */
  logsDir: string;
  /** Images and contexts for a study that starts containers or pods of its own, from flags. */
  runnerOptions?: Pick<RunnerOptions, 'image' | 'baseImage' | 'context' | 'onProgress'>;
}

/** A run of a study that deploys no roles: its data and servers last until `close`. */
export interface StudyRun {
  /**
   * Rejects if this machine lacks a requirement of the cells: those of the whole run, before the first `open`.
   * @param signal ends pulls and builds of images
   */
  require(cells: readonly ExperimentCell[], signal: AbortSignal): Promise<void>;
  /** Prepares a cell for measurements. Rejects with the cause of a failure, or with the reason of the signal. */
  open(cell: ExperimentCell, context: MeasureContext): Promise<TestBed>;
  /** Ends and removes everything. */
  close(): Promise<void>;
}

/** One of several joint deployments. */
export interface SideSetup {
  /** Any cell of the deployment. */
  cell: ExperimentCell;
  logsDir: string;
  /** Share of requests whose hops are traced, 0 to 1. */
  traceShare: number;
}

export interface JointSetup extends JointOptions {
  runnerOf(cell: ExperimentCell): Promise<Pick<Runner, 'start'>>;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher | undefined;
}

export interface DeployedCell extends StartedRoles {
  /** Any cell of the deployment. */
  cell: ExperimentCell;
  /** In the order of the services that keep data. */
  stores: readonly ServiceStore[];
  /** Starts load generators; default: processes on this host. */
  launcher: Launcher | undefined;
}
