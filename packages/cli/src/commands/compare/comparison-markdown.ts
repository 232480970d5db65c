/** A comparison as Markdown, for a pull request: the table, then its limitations. */
import {
  type CellComparison,
  formatDifference,
  formatDifferenceInterval,
  formatValue,
  sensitivitySentences,
} from '@topo-bench/comparison';
import { factorHeading } from '@topo-bench/core';
import { escapeMarkdown } from '@topo-bench/report';
import { factorsOf } from '@topo-bench/report/model';
import type { ComparedRuns } from './compared-runs.ts';
import { inReadingOrder, pText, reasons } from './comparison-table.ts';

const figureHeadings = [
  'baseline',
  'candidate',
  'difference',
  '95% interval',
  'p (corrected)',
  'repetitions',
  'verdict',
];

export function comparisonMarkdown({ comparison, title }: ComparedRuns): string {
  const { metric, cells, notes, effect, cost } = comparison;
  const factors = factorsOf(cells);
  const row = (texts: readonly string[]): string => `| ${texts.map(escapeMarkdown).join(' | ')} |`;
  const figures = (cell: CellComparison): string[] => [
    formatValue(cell.baseline, metric.unit),
    formatValue(cell.candidate, metric.unit),
    formatDifference(cell, metric),
    formatDifferenceInterval(cell, metric),
    pText(cell.adjustedPValue),
    `${cell.repetitions.baseline.used} / ${cell.repetitions.candidate.used}`,
    cell.verdict,
  ];
  return `${[
    `### ${escapeMarkdown(`${title}: ${metric.name}`)}`,
    '',
    row([...factors.map(({ name }) => factorHeading(name)), ...figureHeadings]),
    `|${' --- |'.repeat(factors.length + figureHeadings.length)}`,
    ...inReadingOrder(cells, factors).map((cell) =>
      row([...factors.map(({ name }) => String(cell.factors[name] ?? '–')), ...figures(cell)]),
    ),
    '',
    ...[...sensitivitySentences(cells, effect, cost), ...reasons(cells), ...notes.map((note) => `Note: ${note}.`)].map(
      (line) => `- ${escapeMarkdown(line)}`,
    ),
  ].join('\n')}\n`;
}
