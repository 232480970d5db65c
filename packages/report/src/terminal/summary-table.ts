/**
 * The summary of a run in a terminal: answer and figures of its study, and the invalid repetitions. Plain text without
 * colours, suitable for a file.
 */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { describeLevels, type Factor } from '../model/factors.ts';
import { discardedHeading, discardedMeasurements } from '../model/measured-again.ts';
import type { ReportModel } from '../model/report-model.ts';
import type { Report } from '../read-report.ts';
import { type Styles, stylesFor } from './styles.ts';
import { printable } from './text.ts';

export interface TerminalOptions {
  /** Characters per line. The table fits from 80 on; narrow terminals show fewer figures. */
  columns: number;
  colours: boolean;
}

/** The whole summary, ending with a line break. */
export function summaryTable(report: Report, { columns, colours }: TerminalOptions): string {
  const styles = stylesFor(colours);
  const sections = [
    ...report.study.terminal(columns, styles),
    excludedSection(report, styles),
    measuredAgainSection(report, styles),
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function excludedSection({ groups, factors }: ReportModel, styles: Styles): string[] {
  const lines = groups.flatMap((group) =>
    group.invalid.map(({ repetition, validity }) =>
      repetitionLine(factors, group.factors, repetition, validity.reasons),
    ),
  );
  return lines.length === 0 ? [] : [styles.bold('Invalid repetitions, in none of the figures'), ...lines];
}

function measuredAgainSection({ groups, factors }: ReportModel, styles: Styles): string[] {
  const lines = discardedMeasurements(groups).map(({ factors: levels, repetition, reasons, medians }) =>
    repetitionLine(factors, levels, repetition, [...reasons, medians]),
  );
  return lines.length === 0 ? [] : [styles.bold(discardedHeading), ...lines];
}

function repetitionLine(
  factors: readonly Factor[],
  levels: FactorLevels,
  repetition: number,
  texts: readonly string[],
): string {
  const varying = factors.filter(({ levels }) => levels.length > 1);
  const where = printable(describeLevels(varying, levels)) || 'the cell';
  return `  ${where}, repetition ${repetition}: ${texts.map(printable).join('; ')}`;
}
