/**
 * The summary of a run in a terminal: answer and figures of its study, and the invalid repetitions. Plain text without
 * colours, suitable for a file.
 */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { calibrationTables } from '../calibration-table.ts';
import { episodeText } from '../episode-text.ts';
import { describeLevels, type Factor } from '../model/factors.ts';
import { discardedHeading, discardedMeasurements } from '../model/measured-again.ts';
import type { ReportModel } from '../model/report-model.ts';
import { networkPolicyText } from '../network-policies.ts';
import { openServiceText } from '../open-services.ts';
import { predictionTables } from '../prediction-table.ts';
import { privilegeText } from '../privilege-text.ts';
import type { Report } from '../read-report.ts';
import { runnerTables } from '../runner-table.ts';
import { simulatedText } from '../simulated-text.ts';
import { studyTableLines } from './study-table-lines.ts';
import { printable, type Styles, stylesFor, wrapped } from './text.ts';

export interface TerminalOptions {
  /** Characters per line. The table fits from 80 on; narrow terminals show fewer figures. */
  columns: number;
  colours: boolean;
}

/** The whole summary, ending with a line break. */
export function summaryTable(report: Report, { columns, colours }: TerminalOptions): string {
  const styles = stylesFor(colours);
  const sections = [
    simulatedSection(report, columns, styles),
    ...report.study.terminal(columns, styles),
    ...predictionTables(report).map((table) => studyTableLines(table, columns, styles)),
    ...calibrationTables(report).map((table) => studyTableLines(table, columns, styles)),
    ...runnerTables(report).map((table) => studyTableLines(table, columns, styles)),
    remarksSection(report, columns),
    excludedSection(report, styles),
    measuredAgainSection(report, styles),
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** Before the first figure: a reader of one line must not take a prediction for a measurement. */
function simulatedSection({ runs }: ReportModel, columns: number, styles: Styles): string[] {
  const text = simulatedText(runs);
  return text === undefined ? [] : wrapped(printable(text), columns).map((line) => styles.bold(line));
}

/** Slow requests, privileges, and the network of the roles. */
function remarksSection(report: ReportModel, columns: number): string[] {
  const wrappedTexts = [episodeText(report), privilegeText(report), openServiceText(report)].flatMap((text) =>
    text === undefined ? [] : wrapped(printable(text), columns),
  );
  const policies = networkPolicyText(report);
  return policies === undefined ? wrappedTexts : [...wrappedTexts, policies];
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
