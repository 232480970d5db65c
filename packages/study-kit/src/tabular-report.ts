/**
 * The report of a study whose answer is sentences and tables: one shape for page, terminal, Markdown and CSV. A study
 * gives its sections; figures over ordered factors and the columns of its own follow from what it names.
 */
import type { Cell } from '@topo-bench/core/schema/result';
import { escapeMarkdown, markdownTables, type StudyReport, type StudyTable, type StudyViews } from '@topo-bench/report';
import { type Section, trendPanels } from '@topo-bench/report/html';
import { type ReportModel, type TimeMetric, type TrendFigure, trendTables } from '@topo-bench/report/model';
import { sentenceLines, studyTableLines, trendLines } from '@topo-bench/report/terminal';

/** @typeParam Published figures of the published study; `undefined` for a study that shows none */
export interface TabularStudy<Published> extends Pick<StudyReport, 'seriesOf'> {
  /** @throws TopoBenchError `TB_PUBLISHED_INVALID` */
  readPublished?(file: string): Promise<Published>;
  /** The answer in sentences, the most important one first. */
  sentences(model: ReportModel): string[];
  tables(model: ReportModel, published: Published | undefined): StudyTable[];
  page(model: ReportModel, tables: readonly StudyTable[], published: Published | undefined): Section[];
  /** Time metrics of single requests that the page can show. */
  readonly times: readonly TimeMetric[];
  /** A time of the study that is shown over ordered factors, in all forms. */
  readonly trend?: TrendFigure;
  lines?(model: ReportModel): ReturnType<NonNullable<StudyViews['lines']>>;
  series?(model: ReportModel): ReturnType<NonNullable<StudyViews['series']>>;
  /** Medians of the repetitions of one cell, by name and in the order of the CSV columns. */
  csvFigures?(cells: readonly Cell[]): Readonly<Record<string, number>>;
}

export function tabularReport<Published = undefined>(study: TabularStudy<Published>): StudyReport {
  const { readPublished, seriesOf, times, trend, lines, series, csvFigures } = study;
  return {
    ...(readPublished && { readPublished }),
    ...(seriesOf && { seriesOf }),
    async views(model, { published: file }) {
      const published = file === undefined ? undefined : await readPublished?.(file);
      const tables = study.tables(model, published);
      const sentences = (): string[] => study.sentences(model);
      return {
        hasControls: true,
        times,
        lines: () => ({ ...lines?.(model), ...(trend && trendPanels(model, trend)) }),
        ...(series && { series: () => series(model) }),
        page: () => study.page(model, tables, published),
        terminal: (columns, styles) => [
          sentenceLines(sentences(), columns, styles),
          ...tables.map((table) => studyTableLines(table, columns, styles)),
          ...(trend ? trendLines(model, columns, styles, trend) : []),
        ],
        answer: sentences,
        markdown: () => [
          ...sentences().map(escapeMarkdown),
          ...markdownTables([...tables, ...(trend ? trendTables(model, trend) : [])]),
        ],
        ...(csvFigures && {
          csv: {
            keys: Object.keys(csvFigures([])),
            values: (cells: readonly Cell[]) => Object.values(csvFigures(cells)),
          },
        }),
      };
    },
  };
}
