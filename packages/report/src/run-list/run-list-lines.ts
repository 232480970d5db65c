/** A list of runs in a terminal: the runs, then the figures of each cell over them. */
import { basename, resolve } from 'node:path';
import { readableTime } from '../html/sections/provenance-section.ts';
import { describeLevels, factorsOf } from '../model/factors.ts';
import { sentenceLines } from '../terminal/sentence-lines.ts';
import type { TerminalOptions } from '../terminal/summary-table.ts';
import { printable, type Styles, stylesFor, wrapped } from '../terminal/text.ts';
import { type Column, textTable } from '../terminal/text-table.ts';
import type { RunList, Series } from './run-list.ts';
import { runListSentences } from './run-list-sentences.ts';
import {
  changeText,
  figureName,
  readingHints,
  setupSentences,
  spreadText,
  validText,
  versionText,
} from './run-list-texts.ts';
import { sparkText } from './sparkline.ts';

/** The whole list, ending with a line break. */
export function runListText(list: RunList, { columns, colours }: TerminalOptions): string {
  const styles = stylesFor(colours);
  const experiments = [...new Set(list.series.map(({ experiment }) => experiment))];
  const blocks = [
    sentenceLines(runListSentences(list), columns, styles),
    runLines(list, columns, styles),
    ...experiments.map((name) => experimentLines(list, name, columns, styles)),
    list.unreadable.map(({ folder, problem }) => printable(`cannot read ${folder}: ${problem}`)),
    list.series.some(({ points }) => points.length > 1) ? readingHints.flatMap((hint) => wrapped(hint, columns)) : [],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const left = (heading: string, dropOrder = 0): Column => ({ heading, align: 'left', dropOrder });
const right = (heading: string, dropOrder = 0): Column => ({ heading, align: 'right', dropOrder });

function runLines({ runs }: RunList, columns: number, styles: Styles): string[] {
  const headings = [
    left('started'),
    left('experiment'),
    left('topo-bench', 2),
    right('set-up', 1),
    right('cells'),
    right('valid'),
    left('folder', 3),
  ];
  const rows = runs.map((run) =>
    [
      readableTime(run.startedAt),
      run.name,
      versionText(run),
      String(run.setup.number),
      String(run.cells),
      validText(run),
      basename(resolve(run.folder)),
    ].map(printable),
  );
  return textTable(headings, rows, columns, styles.bold).lines;
}

function experimentLines(list: RunList, experiment: string, columns: number, styles: Styles): string[] {
  const series = list.series.filter((one) => one.experiment === experiment);
  const runs = list.runs.filter(({ name }) => name === experiment);
  const factors = factorsOf(series);
  const varying = factors.filter(({ levels }) => levels.length > 1);
  const cellText = (one: Series): string =>
    describeLevels(varying.length > 0 ? varying : factors, one.factors) || 'the cell';
  const isRepeated = series.some(({ points }) => points.length > 1);
  const headings = [
    left('cell'),
    right('runs'),
    left(isRepeated ? 'over time' : '', 3),
    left(figureNames(series)),
    left('p95', 2),
    right('change'),
  ];
  const rows = series.map((one) => {
    const last = one.points.at(-1);
    return [
      cellText(one),
      String(one.points.length),
      sparkText(one.points),
      last ? spreadText(last.figure, one.unit) : '–',
      last?.p95 ? spreadText(last.p95, one.unit) : '–',
      changeText(last?.change),
    ].map(printable);
  });
  return [
    styles.bold(printable(`${experiment}: the latest run of each cell`)),
    ...textTable(headings, rows, columns, styles.bold).lines,
    ...setupSentences(runs).flatMap((sentence) => wrapped(printable(sentence), columns)),
  ];
}

function figureNames(series: readonly Series[]): string {
  return [...new Set(series.map(figureName))].join(' / ');
}
