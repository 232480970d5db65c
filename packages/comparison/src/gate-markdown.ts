/** The gate as Markdown, for a pull request or the summary page of a CI job. */
import { cellLines } from './cell-detection.ts';
import { formatChange, formatChangeInterval } from './format-value.ts';
import type { GateCell, GateResult, GateVerdict, ThresholdResult } from './gate-result.ts';
import { markdownText } from './markdown-text.ts';

const marks: Record<GateVerdict, string> = { passed: '✅ passed', failed: '❌ failed', 'cannot tell': '❔ cannot tell' };

export function gateMarkdown({ verdict, thresholds, notes }: GateResult): string {
  const failures = thresholds.flatMap(({ cells }) => cells.filter(({ passed }) => passed === false));
  return `${[
    `### Performance gate: ${marks[verdict]}`,
    '',
    '| threshold | verdict | |',
    '| --- | --- | --- |',
    ...thresholds.map(thresholdRow),
    ...(failures.length > 0 ? ['', 'Cells shown to be beyond their threshold:', '', ...failures.map(failureLine)] : []),
    ...thresholds.flatMap(sensitivity),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- Note: ${markdownText(note)}`)] : []),
  ].join('\n')}\n`;
}

/** Folded: what each cell shows, and what it could have shown. */
function sensitivity({ threshold, cells }: ThresholdResult): string[] {
  const lines = cellLines(cells);
  if (lines.length === 0) return [];
  const heading = `<details><summary>${markdownText(threshold)}, cell by cell</summary>`;
  return ['', heading, '', ...lines.map((line) => `- ${markdownText(line)}`), '', '</details>'];
}

function thresholdRow({ threshold, verdict, reason }: ThresholdResult): string {
  return `| ${markdownText(threshold)} | ${marks[verdict]} | ${markdownText(reason)} |`;
}

function failureLine({ threshold, factors, differencePercent, intervalPercent }: GateCell): string {
  const where = Object.entries(factors)
    .map(([name, level]) => `${name} ${level}`)
    .join(', ');
  const change = intervalPercent ? `: ${formatChange(differencePercent)} (${formatChangeInterval(intervalPercent)})` : '';
  return `- ${markdownText(`${threshold}, ${where || 'the cell'}${change}`)}`;
}
