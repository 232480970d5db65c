/**
 * A kind of study as a run knows it, and its cells: their names and checks. How they are measured, or simulated, is
 * known to the backend.
 */
import { type Problem, type SourceLocation, type StoreEngine, TopoBenchError } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { StudyParts } from '@topo-bench/core/schema/study-parts';
import type { DeploymentPlan } from '@topo-bench/deployment/deployment-plan';
import type { Graph } from '@topo-bench/topology/graph';
import type { SideName } from './sides.ts';
import type { InputFiles, StudyInput } from './study-input.ts';

export interface Study {
  /** Recorded in `run.json`; reports and backends find the study by it. */
  readonly kind: string;
  /** What it adds to experiment files, factors and cells. */
  readonly parts: StudyParts;
  /** The interval whose median stands for a repetition. */
  readonly interval: 'rtt' | 'responseTime';
  /** Whether several of its cells can be deployed together and take turns under load. */
  readonly takesTurns: boolean;
  /** Absent for a kind whose experiments read no files of their own. */
  readonly input?: StudyInput;
  /** Whether its requests are flows, which events, retries, breakers and takeover concern. Default: false. */
  readonly takesEvents?: boolean;
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
  /**
   * Why a combination of levels is not measured, e.g. because a factor has no effect there and another cell stands for
   * it; undefined if it is. `validate` prints the reasons.
   */
  omits?(settings: ExperimentFile, factors: ExperimentFile['factors']): OmittedCell | undefined;
  /** The user-supplied database server of a cell; undefined without one. For kinds of study without roles. */
  serverOf?(settings: ExperimentFile): ServerField | undefined;
  /** Servers and engines that a cell can use next to those of its graph and `serverOf`. */
  uses?(settings: ExperimentFile): UsedServers;
  /** Warns of the first entry whose figures do not belong with earlier ones of its cell, e.g. of another server. */
  mixed?(before: readonly Cell[], entry: Cell): string | undefined;
  /** The figures of a repetition for a line of progress, the main one first. */
  figures(entry: Cell): string[];
}

/** Why a combination of levels is not measured. */
export type OmittedCell = Pick<Problem, 'code' | 'message'>;

export interface UsedServers {
  stores?: readonly StoreEngine[];
  /** Names of flags, e.g. `flinkUrl`. */
  addresses?: readonly string[];
  /** Whether it runs anything in containers or pods, whatever the runner. */
  containers?: boolean;
}

/** A store as the file describes it. */
export interface ServerField {
  engine: StoreEngine;
  /** Connection string in the file. */
  url?: string | undefined;
  /** Container image of a server that topo-bench starts. A connection string overrides it. */
  image?: string | undefined;
}

/** A cell of an experiment with everything that follows from its levels. */
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
  /** Files that only its study reads; absent if the experiment names none. */
  files?: InputFiles;
  /** The graph with the rules of each change during the load, in the order of their times; absent without any. */
  changedRules?: readonly Graph[];
  /** Cells of the same deployment and graph can run one after another on the same processes. */
  deployment: string;
  /** The side of a gate; absent in all other runs. */
  side?: SideName;
}

/** The first of the studies that applies to these settings. */
export function studyOf(settings: ExperimentFile, studies: readonly Study[]): Study {
  const study = studies.find((one) => one.appliesTo(settings));
  if (!study) throw new TopoBenchError('TB_INTERNAL', 'no kind of study applies to the experiment');
  return study;
}
