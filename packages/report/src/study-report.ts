/**
 * The port of a study's report. Validity, provenance and exclusions are common to all studies and stay in this package.
 */
import type { RunFolder } from '@topo-bench/core';
import type { Drawing } from '@topo-bench/core/drawing';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import type { CsvValue } from './csv.ts';
import type { LinePanel, SeriesPanel } from './html/chart-data.ts';
import type { Section } from './html/section.ts';
import type { Level } from './model/factors.ts';
import type { ReportModel } from './model/report-model.ts';
import type { TimeMetric } from './model/time-metric.ts';
import type { SeriesOf } from './model/usage-timeline.ts';
import type { Price } from './price.ts';
import type { StudyTable } from './study-table.ts';
import type { Styles } from './terminal/text.ts';
import type { WhatIf, WhatIfCell } from './what-if.ts';

export interface StudyReport {
  /** Max time of a request in the system under test, in µs; absent where only the drain limits the wait. */
  deadlineUs?(record: RunRecord): number | undefined;
  /** Use of resources in its entries; absent where entries have a timeline, or neither. */
  readonly seriesOf?: SeriesOf;
  /**
   * Builds the views that are specific to this kind of study.
   * @throws TopoBenchError `TB_PUBLISHED_INVALID`
   */
  views(model: ReportModel, sources: ReportSources): Promise<StudyViews>;
  /**
   * Reads a file as `ReportSources.published` names it, for a check before a run; absent where the study shows none.
   * @throws TopoBenchError `TB_PUBLISHED_INVALID`
   */
  readPublished?(file: string): Promise<unknown>;
}

export interface ReportSources {
  /** The run that a cell of the model belongs to. */
  runOf(cell: Cell): RunFolder;
  /** Whether to read the samples. */
  readSamples: boolean;
  /** CSV file with published figures. */
  published: string | undefined;
  /** Price of processor time, for costs. */
  price?: Price | undefined;
  /** The topology by architecture; empty where a run does not record it. Absent: not known. */
  drawings?(): Record<string, Drawing>;
  /** For sliders; undefined for runs that the model of simulations does not know. Absent: not known. */
  whatIf?(): WhatIfOfRun | undefined;
}

/** `levels`: those of the cell in the report. */
export type WhatIfOfRun = WhatIf<WhatIfCell & { levels: FactorLevels }>;

export interface Summary {
  /** The headline first. */
  sentences: readonly string[];
  /** Absent where nothing was compared. */
  table?: StudyTable;
  /** A sentence for each figure of the table. */
  onTable: readonly string[];
}

/** What a decision between the levels of the compared factor rests on. */
export interface DecisionFigures {
  factor: string;
  /** Settings of the other factors. */
  settings: number;
  /** Most options are compared with this one. */
  reference: Level;
  /** In reading order. */
  options: readonly DecisionOption[];
}

export interface DecisionOption {
  level: Level;
  name: string;
  /** False for an architecture that enforces nothing: a baseline, which is no answer. */
  enforces: boolean;
  /** Settings in which it is shown to have the lowest median of all options that enforce. */
  shownLowestIn: number;
  /** Geometric mean of its medians over the settings, µs; NaN where one is missing. */
  medianUs: number;
  arguments: readonly DecisionArgument[];
}

/** A clause after "because". */
export interface DecisionArgument {
  tone: 'good' | 'neutral' | 'bad';
  text: string;
}

/** The forms of one report. */
export interface StudyViews {
  /** Whether the page needs controls for its charts of single requests. */
  readonly hasControls: boolean;
  /** Time metrics of single requests that the page can show, the initial one first; default: all. */
  readonly times?: readonly TimeMetric[];
  /** Last line of the page; default: where its figures are from, and where the samples are. */
  readonly footer?: string;
  /** The answer in sentences, the most important one first; absent where the study has none. */
  answer?(): readonly string[];
  /** The answer on one page, with the table that decides; absent where `answer` is all there is. */
  summary?(): Summary;
  /** The options of a decision; undefined where nothing varies, absent where the study has none. */
  decision?(): DecisionFigures | undefined;
  /** Panels of drawn figures by level, by name of the figure; default: none. */
  lines?(): Record<string, LinePanel[]>;
  /** Panels of drawn counts over time, by name of the figure; default: none. */
  series?(): Record<string, SeriesPanel[]>;
  /** Drawings of the topology, by architecture; default: none. */
  drawings?(): Record<string, Drawing>;
  /** What sliders of the page predict; undefined for runs that the model does not know, absent without any. */
  whatIf?(): WhatIfOfRun | undefined;
  /** Sections of the page, above validity and provenance. */
  page(): Section[];
  /** Blocks of lines. */
  terminal(columns: number, styles: Styles): string[][];
  /** Blocks below the title. */
  markdown(): string[];
  /** Additional columns of CSV files. `values` receives the repetitions of one cell. */
  readonly csv?: { readonly keys: readonly string[]; values(cells: readonly Cell[]): CsvValue[] };
  /** Column in the CSV of cells, in µs; absent without published medians of round-trip times. */
  readonly publishedMedianUs?: (factors: FactorLevels) => number | undefined;
}

/** Returns the report of these runs; if their kinds differ, one of them reports all runs. */
export type StudyReportOf = (runs: readonly RunFolder[]) => Promise<StudyReport>;
