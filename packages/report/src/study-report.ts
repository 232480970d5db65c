/**
 * The port of a study's report. Validity, provenance and exclusions are the same for every run, so this package has
 * them.
 */
import type { RunFolder } from '@topo-bench/core';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import type { CsvValue } from './csv.ts';
import type { Section } from './html/section.ts';
import type { ReportModel } from './model/report-model.ts';
import type { Styles } from './terminal/styles.ts';

export interface StudyReport {
  /** Max time of a request in the system under test, in µs; absent where only the drain limits the wait. */
  deadlineUs?(record: RunRecord): number | undefined;
  /**
   * Reads what only this kind of study shows.
   * @throws TopoBenchError `TB_PUBLISHED_INVALID`
   */
  views(model: ReportModel, sources: ReportSources): Promise<StudyViews>;
}

export interface ReportSources {
  /** The run that a cell of the model belongs to. */
  runOf(cell: Cell): RunFolder;
  /** Whether to read the samples. */
  readSamples: boolean;
  /** CSV file with published figures. */
  published: string | undefined;
}

/** The forms of one report. */
export interface StudyViews {
  /** The page has charts drawn from single requests, and needs the controls that choose among them. */
  readonly hasControls: boolean;
  /** Sections of the page, above validity and provenance. */
  page(): Section[];
  /** Blocks of lines. */
  terminal(columns: number, styles: Styles): string[][];
  /** Blocks below the title. */
  markdown(): string[];
  /** Further columns of CSV files; the values are those of repetitions of one cell. */
  readonly csv?: { readonly keys: readonly string[]; values(cells: readonly Cell[]): CsvValue[] };
  /** A column of the CSV with cells; absent without published medians of round-trip times. */
  readonly publishedMedianUs?: (factors: FactorLevels) => number | undefined;
}

/** The report of these runs; if their kinds differ, one of them reports all runs. */
export type StudyReportOf = (runs: readonly RunFolder[]) => Promise<StudyReport>;
