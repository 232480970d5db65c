/** The gate as Markdown, for a pull request or the summary page of a CI job. */
import {
  cellLines,
  formatChangeWithInterval,
  type GateCell,
  type GateResult,
  type GateVerdict,
  profileHeading,
  profileLines,
  type ThresholdResult,
} from '@topo-bench/comparison';
import { describeCell } from '@topo-bench/core';
import { escapeMarkdown } from '../markdown-text.ts';

const marks: Record<GateVerdict, string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  'cannot tell': '❔ cannot tell',
};

export function gateMarkdown({ verdict, thresholds, notes, profile, subject }: GateResult): string {
  const failures = thresholds.flatMap(({ cells }) => cells.filter(({ passed }) => passed === false));
  return `${[
    `### ${subject === 'confirmation' ? 'Confirmation of the decision' : 'Performance gate'}: ${marks[verdict]}`,
    '',
    '| threshold | verdict | |',
    '| --- | --- | --- |',
    ...thresholds.map(thresholdRow),
    ...(failures.length > 0 ? ['', 'Cells shown to be beyond their threshold:', '', ...failures.map(failureLine)] : []),
    ...(profile
      ? [
          '',
          escapeMarkdown(profileHeading(profile)),
          '',
          ...profileLines(profile).map((line) => `- ${escapeMarkdown(line)}`),
        ]
      : []),
    ...thresholds.flatMap(sensitivity),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- Note: ${escapeMarkdown(note)}`)] : []),
  ].join('\n')}\n`;
}

/** Collapsed list: the result of each cell, and the difference that it could have shown. */
function sensitivity({ threshold, cells }: ThresholdResult): string[] {
  const lines = cellLines(cells);
  if (lines.length === 0) return [];
  const heading = `<details><summary>${escapeMarkdown(threshold)}, cell by cell</summary>`;
  return ['', heading, '', ...lines.map((line) => `- ${escapeMarkdown(line)}`), '', '</details>'];
}

function thresholdRow({ threshold, verdict, reason }: ThresholdResult): string {
  return `| ${escapeMarkdown(threshold)} | ${marks[verdict]} | ${escapeMarkdown(reason)} |`;
}

function failureLine({ threshold, factors, differencePercent, intervalPercent }: GateCell): string {
  const change = intervalPercent ? `: ${formatChangeWithInterval(differencePercent, intervalPercent)}` : '';
  return `- ${escapeMarkdown(`${threshold}, ${describeCell(factors) || 'the cell'}${change}`)}`;
}
