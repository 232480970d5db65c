/**
 * The port of a kind of study: names and checks of its cells, the load of a deployment, and the recorded figures. The
 * package `studies` has one folder for each kind. Measuring code loads when a test bed opens, not before.
 */
import {
  type GatewayRequest,
  type Problem,
  type Sample,
  type SourceLocation,
  type Span,
  type StoreEngine,
  TopoBenchError,
} from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { Cell, FactorLevels, Host } from '@topo-bench/core/schema/result';
import type { DeploymentPlan } from '@topo-bench/deployment';
import type { Launcher } from '@topo-bench/loadgen';
import type { Runner, RunnerCapacity, RunnerOptions } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { Graph } from '@topo-bench/topology';
import type { Phase } from './run-event.ts';
import type { StartedRoles } from './start-roles.ts';
import type { ServiceStore } from './stores/prepare-stores.ts';
import type { TrackFile } from './tracks.ts';

export interface Study {
  /** Recorded in `run.json`; reports find their study by it. */
  readonly kind: string;
  /** The interval whose median stands for a repetition. */
  readonly interval: 'rtt' | 'responseTime';
  /** Whether an experiment with these settings is of this kind. */
  appliesTo(settings: ExperimentFile): boolean;
  /** The graph as this study deploys it; absent if it is unchanged. */
  graphOf?(graph: Graph, settings: ExperimentFile): Graph;
  /** Levels with a column in every table of results, whether they vary or not. */
  levels(settings: ExperimentFile, graph: Graph): FactorLevels;
  /**
   * @param cells all cells of this kind, at least one
   * @param locate place of a field in the experiment file
   */
  check(cells: readonly ExperimentCell[], locate: (path: readonly (string | number)[]) => SourceLocation): Problem[];
  /** Rejects if this machine lacks a requirement of the cells. For kinds of study with roles. */
  require?(cells: readonly ExperimentCell[], environment: RunEnvironment): Promise<void>;
  /** Estimated size of a repetition, if it is not that of requests at a rate. */
  sizeOf?(cell: ExperimentCell): Partial<RepetitionSize>;
  /** Estimated seconds of what a run does once for these cells, e.g. loads of tables. */
  onceSeconds?(cells: readonly ExperimentCell[]): number;
  /**
   * Rows of user-supplied data that a repetition reads, for `sizeOf`; undefined if they are those of the settings, or
   * not known before the run. Rejects if the data is missing.
   */
  dataRows?(settings: ExperimentFile): Promise<number | undefined>;
  /** The figures of a repetition for a line of progress, the main one first. */
  figures(entry: Cell): string[];
  /**
   * Prepares a deployment for measurements. If it rejects, the caller stops the deployment. Absent for kinds of study
   * with `openRun`.
   */
  open?(deployed: DeployedCell, signal: AbortSignal): Promise<TestBed>;
  /** For kinds of study that deploy no roles: what the cells of a run share. Called at most once for a run. */
  openRun?(environment: RunEnvironment): Promise<StudyRun>;
  /**
   * Why a combination of levels is not measured, e.g. because a factor has no effect there and another cell stands for
   * it; undefined if it is. `validate` prints the reasons.
   */
  omits?(settings: ExperimentFile, factors: ExperimentFile['factors']): OmittedCell | undefined;
  /** The user-supplied database server of a cell; undefined without one. For kinds of study without roles. */
  serverOf?(settings: ExperimentFile): ServerField | undefined;
  /** Deploys and warms up cells that take turns under load; absent if this kind does not support turns. */
  openTogether?(setups: readonly SideSetup[], options: JointOptions, context: MeasureContext): Promise<JointTestBed>;
}

/** Why a combination of levels is not measured. */
export type OmittedCell = Pick<Problem, 'code' | 'message'>;

/** A store as the file describes it. */
export interface ServerField {
  engine: StoreEngine;
  /** Connection string in the file. */
  url?: string | undefined;
  /** Container image of a server that topo-bench starts. A connection string overrides it. */
  image?: string | undefined;
}

/** What a study without roles gets from the run. */
export interface RunEnvironment {
  /** Connection strings of user-supplied database servers, from flags. */
  serverUrls: ServerUrls;
  /** Address of a Flink cluster, from a flag. */
  flinkUrl?: string | undefined;
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

export interface JointOptions {
  runnerOf(cell: ExperimentCell): Promise<Pick<Runner, 'start'>>;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher | undefined;
  /** Index of the setup that starts first; the others follow in their order. */
  first: number;
  /** Leaves out slices in which requests left late, on all sides alike. */
  leaveOutLate?: boolean;
}

export interface ExperimentCell {
  study: Study;
  /** Levels of its study first, whether they vary or not, then the other factors. */
  levels: FactorLevels;
  /** Levels of the factors, by their names in the experiment and as written there. */
  given: FactorLevels;
  /** The experiment with the levels of this cell. */
  settings: ExperimentFile;
  graph: Graph;
  plan: DeploymentPlan;
  /** Capacity of the hosts of its roles; absent for this machine. */
  capacity?: RunnerCapacity;
  /** Rows of user-supplied data; absent if they are those of the settings, or not known yet. */
  dataRows?: number;
  /** Recorded tracks of a stream experiment, in their order; absent if it names none. */
  tracks?: readonly TrackFile[];
  /** Cells of the same deployment can run one after another on the same processes. */
  deployment: string;
}

export interface DeployedCell extends StartedRoles {
  /** Any cell of the deployment. */
  cell: ExperimentCell;
  /** In the order of the services that keep data. */
  stores: readonly ServiceStore[];
  /** Starts load generators; default: processes on this host. */
  launcher: Launcher | undefined;
}

export interface RepetitionSize {
  processes: number;
  /** Hops of one request; its CPU cost is proportional to them. */
  hops: number;
  /** Undefined for the closed model. */
  rateRps: number | undefined;
  durationUs: number;
  drainUs: number;
  warmupRequests: number;
  warmupWindowUs: number;
  warmupMaxUs: number;
  cores: number;
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
}

/** The first of the studies that applies to these settings. */
export function studyOf(settings: ExperimentFile, studies: readonly Study[]): Study {
  const study = studies.find((one) => one.appliesTo(settings));
  if (!study) throw new TopoBenchError('TB_INTERNAL', 'no kind of study applies to the experiment');
  return study;
}

/**
 * Deploys cells that take turns.
 * @throws TopoBenchError errors of the runner, or the death of a role that caused them; all processes are stopped by
 *   then
 */
export async function openTogether(
  setups: readonly SideSetup[],
  options: JointOptions,
  context: MeasureContext,
): Promise<JointTestBed> {
  const [{ cell }] = setups as [SideSetup];
  if (cell.study.openTogether) return cell.study.openTogether(setups, options, context);
  throw new TopoBenchError('TB_INTERNAL', `cells of a ${cell.study.kind} study cannot take turns`);
}
