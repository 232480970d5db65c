/**
 * The port of a kind of study: names and checks of its cells, the load of a deployment, and the recorded figures. The
 * package `studies` has one folder for each kind. Measuring code loads when a test bed opens, not before.
 */
import { type Problem, type SourceLocation, TopoBenchError } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { Launcher } from '@topo-bench/loadgen';
import type { Runner } from '@topo-bench/runners';
import type { Graph } from '@topo-bench/topology';
import type { JointTestBed, MeasureContext, TestBed } from './backend.ts';
import type { ExperimentCell } from './build-cell.ts';
import type { DeployedCell } from './deploy-cell.ts';
import type { RepetitionSize } from './time-estimate.ts';

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
  /** Rejects if this machine lacks a requirement of the cells. */
  require?(cells: readonly ExperimentCell[]): Promise<void>;
  /** Estimated size of a repetition, if it is not that of requests at a rate. */
  sizeOf?(cell: ExperimentCell): Partial<RepetitionSize>;
  /** The figures of a repetition for a line of progress, the main one first. */
  figures(entry: Cell): string[];
  /** Prepares a deployment for measurements. If it rejects, the caller stops the deployment. */
  open(deployed: DeployedCell, signal: AbortSignal): Promise<TestBed>;
  /** Deploys and warms up cells that take turns under load; absent if this kind does not support turns. */
  openTogether?(setups: readonly SideSetup[], options: JointOptions, context: MeasureContext): Promise<JointTestBed>;
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
  runner: Runner;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher | undefined;
  /** Index of the setup that starts first; the others follow in their order. */
  first: number;
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
