/** What a kind of study adds to the report. What every run has (validity, provenance, exclusions) comes from this package. */
import type { RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { CsvValue } from './csv.ts';
import type { Section } from './html/section.ts';
import type { ReportModel } from './model/report-model.ts';
import type { Styles } from './terminal/styles.ts';

export interface StudyReport {
  /** Requests go through the gateway: its deadline bounds them, and all architectures get the same ones. */
  readonly throughGateway: boolean;
  /** The page has charts drawn from single requests, and needs the controls that choose among them. */
  readonly hasControls: boolean;
  /** Sections of the page, above validity and provenance. */
  page(report: ReportModel): Section[];
  /** Blocks of lines. */
  terminal(report: ReportModel, columns: number, styles: Styles): string[][];
  /** Blocks below the title. */
  markdown(report: ReportModel): string[];
  /** Further columns of CSV files; the values are those of repetitions of one cell. */
  readonly csv?: { readonly keys: readonly string[]; values(cells: readonly Cell[]): CsvValue[] };
}

/** The report of these runs; of several kinds, one stands for all. */
export type StudyReportOf = (runs: readonly RunFolder[]) => Promise<StudyReport>;
