/**
 * The summary in a terminal, in the layout of the routing study: a row per cell with the five numbers and the tails of its RTT, then
 * the weighted average per service, then decisions and cost. Plain text when colours are off, so that it can go to a file.
 */
import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { formatCount, formatFigure, formatMs, infiniteText, missing } from '../figure-text.ts';
import { type CellFigures, type CellGroup, sumDecisions } from '../model/cell-group.ts';
import { describeLevel, type Factor, factorHeading, type Level } from '../model/factors.ts';
import { publishedMedianUs } from '../model/published.ts';
import type { ReportModel } from '../model/report-model.ts';
import { weightedAverages } from '../model/weighted-average.ts';
import { printable } from './printable.ts';
import { type Column, textTable } from './text-table.ts';

export interface TerminalOptions {
  /** Characters per line. */
  columns: number;
  colours: boolean;
}

/** Flags as letters, so that the row stays short; the legend below says them in words. */
const flagLetters: Record<string, string> = { 'host-saturated': 'S', cold: 'C', unfinished: 'U' };

type Styles = ReturnType<typeof pc.createColors>;

/** The whole summary, ending with a line break. */
export function summaryTable(report: ReportModel, options: TerminalOptions): string {
  const styles = pc.createColors(options.colours);
  const sections = [
    rttSection(report, options.columns, styles),
    weightedAverageSection(report, options.columns, styles),
    workSection(report, options.columns, styles),
    excludedSection(report, styles),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const figureColumns: { heading: string; of: keyof CellFigures['rtt']; dropOrder: number }[] = [
  { heading: 'min', of: 'minUs', dropOrder: 5 },
  { heading: 'Q1', of: 'q1Us', dropOrder: 0 },
  { heading: 'median', of: 'medianUs', dropOrder: 0 },
  { heading: 'Q3', of: 'q3Us', dropOrder: 0 },
  { heading: 'p95', of: 'p95Us', dropOrder: 0 },
  { heading: 'p99', of: 'p99Us', dropOrder: 3 },
  { heading: 'max', of: 'maxUs', dropOrder: 4 },
  { heading: 'mean', of: 'meanUs', dropOrder: 6 },
  { heading: 'std', of: 'stdUs', dropOrder: 7 },
];

function rttSection(report: ReportModel, width: number, styles: Styles): string[] {
  const { groups, published } = report;
  const infinite = infiniteText(report.drainUs);
  const shown = shownFactors(report.factors);
  const columns: Column[] = [
    ...factorColumns(shown),
    ...figureColumns.map(({ heading, dropOrder }) => ({ heading, align: 'right' as const, dropOrder })),
    ...(published ? [{ heading: 'published', align: 'right' as const }] : []),
    { heading: 'sent/s', align: 'right', dropOrder: 2 },
    { heading: 'reps', align: 'right' },
    { heading: 'flags', align: 'left' },
  ];
  const rows = groups.map((group, index) => {
    const { figures } = group;
    const rtt = figureColumns.map(({ of }) => (figures ? formatMs(figures.rtt[of], infinite) : missing));
    rtt[2] = styles.bold(rtt[2] as string);
    return [
      ...factorTexts(shown, group, groups[index - 1]),
      ...rtt,
      ...(published ? [formatMs(publishedMedianUs(published, group.factors) ?? Number.NaN, infinite)] : []),
      figures ? formatFigure(figures.achievedRps) : missing,
      repetitions(group, styles),
      figures ? styles.yellow(flagText(figures)) : '',
    ];
  });
  const table = textTable(columns, rows, width, styles.dim);
  const fixed = report.factors
    .filter((factor) => !shown.includes(factor))
    .map(({ name, levels }) => describe(name, levels[0] as Level));
  const title = ['Round-trip time in ms', ...fixed].join(', ');
  return [
    styles.bold(title),
    ...table.lines,
    ...(table.dropped.length > 0 ? [styles.dim(`Left out for want of width: ${table.dropped.join(', ')}.`)] : []),
    ...notes(report).map(styles.dim),
  ];
}

function notes({ groups, published, drainUs }: ReportModel): string[] {
  const flags = new Set(groups.flatMap(({ figures }) => Object.keys(figures?.flags ?? {})));
  const legend: Record<string, string> = {
    'host-saturated': 'S host saturated: compare with care',
    cold: 'C cold: throughput had not settled',
    unfinished: `U unfinished requests: counted as ${infiniteText(drainUs)}`,
  };
  return [
    'Each figure is the median over the valid repetitions of that figure in each repetition.',
    ...(flags.size > 0 ? [`Flags: ${[...flags].map((flag) => legend[flag] ?? printable(flag)).join('; ')}.`] : []),
    ...(published ? [`Published medians: ${printable(published.file)}.`] : []),
  ];
}

function weightedAverageSection(report: ReportModel, width: number, styles: Styles): string[] {
  const averages = weightedAverages(
    report.factors,
    report.groups.map(({ factors, figures }) => ({
      factors,
      medianUs: figures?.rtt.medianUs ?? Number.NaN,
      publishedUs: publishedMedianUs(report.published, factors) ?? Number.NaN,
    })),
  );
  if (averages.length === 0) return [];
  const sizes = report.factors.find(({ name }) => name === 'services')?.levels ?? [];
  const others = report.factors.filter(({ name }) => name !== 'services');
  const shown = shownFactors(others);
  const infinite = infiniteText(report.drainUs);
  const columns: Column[] = [
    ...factorColumns(shown),
    { heading: 'W', align: 'right' },
    ...(report.published ? [{ heading: 'published', align: 'right' as const }] : []),
  ];
  const rows = averages.map((average, index) => [
    ...factorTexts(shown, average, averages[index - 1]),
    styles.bold(formatMs(average.wUs, infinite)),
    ...(report.published ? [formatMs(average.publishedWUs, infinite)] : []),
  ]);
  return [
    styles.bold(`Weighted average W in ms per service: mean of median/N over N = ${sizes.join(', ')}`),
    ...textTable(columns, rows, width, styles.dim).lines,
  ];
}

function workSection(report: ReportModel, width: number, styles: Styles): string[] {
  const measured = report.groups.filter(({ figures }) => figures);
  if (measured.length === 0) return [];
  const shown = shownFactors(report.factors);
  const columns: Column[] = [
    ...factorColumns(shown),
    ...['CPU µs/req', 'hops/req', 'between nodes', 'allow', 'deny', 'redact', 'reroute', 'wrong', 'exposed B'].map((heading) => ({
      heading,
      align: 'right' as const,
      dropOrder: heading === 'between nodes' ? 1 : 0,
    })),
  ];
  const rows = measured.map((group, index) => {
    const { decisions, cpuUsPerRequest, exposureBytes, ...figures } = group.figures as CellFigures;
    return [
      ...factorTexts(shown, group, measured[index - 1]),
      formatFigure(cpuUsPerRequest.total ?? Number.NaN),
      formatFigure(figures.hopsPerRequest),
      formatFigure(figures.hopsBetweenNodesPerRequest),
      ...[decisions.allow, decisions.deny, decisions.redact, decisions.reroute].map(formatCount),
      decisions.wrong === 0 ? '0' : styles.red(formatCount(decisions.wrong)),
      formatCount(Object.values(exposureBytes).reduce((sum, bytes) => sum + bytes, 0)),
    ];
  });
  return [styles.bold('Cost and decisions'), ...textTable(columns, rows, width, styles.dim).lines, ...verdict(report, styles)];
}

/** Wrong decisions make a repetition invalid, so they are counted over all repetitions. */
function verdict({ groups }: ReportModel, styles: Styles): string[] {
  const all = sumDecisions(groups.flatMap(({ valid, invalid }) => [...valid, ...invalid].map(({ decisions }) => decisions)));
  const made = all.allow + all.deny + all.redact + all.reroute;
  const text = `${formatCount(all.wrong)} of ${formatCount(made)} decisions were wrong, as checked by the oracle.`;
  return made === 0 ? [] : [all.wrong === 0 ? styles.green(text) : styles.red(text)];
}

function excludedSection({ groups, factors }: ReportModel, styles: Styles): string[] {
  const lines = groups.flatMap((group) => {
    const where = factors
      .filter(({ name, levels }) => levels.length > 1 && group.factors[name] !== undefined)
      .map(({ name }) => describe(name, group.factors[name] as Level))
      .join(', ');
    return group.invalid.map(
      ({ repetition, validity }) =>
        `  ${where || 'the cell'}, repetition ${repetition}: ${validity.reasons.map(printable).join('; ')}`,
    );
  });
  return lines.length === 0 ? [] : [styles.bold('Invalid repetitions, in none of the figures'), ...lines];
}

/** A factor with one level is said once, in the title; when none varies, all are columns. */
function shownFactors(factors: readonly Factor[]): readonly Factor[] {
  const varying = factors.filter(({ name, levels }) => levels.length > 1 || name === 'architecture');
  return varying.length > 0 ? varying : factors;
}

function factorColumns(factors: readonly Factor[]): Column[] {
  return factors.map(({ name, levels }) => ({
    heading: printable(factorHeading(name)),
    align: levels.every((level) => typeof level === 'number') ? 'right' : 'left',
  }));
}

/** Levels that the row above has too stay blank, so that groups are seen at a glance. */
function factorTexts(
  factors: readonly Factor[],
  row: Pick<CellGroup, 'factors'>,
  above: Pick<CellGroup, 'factors'> | undefined,
): string[] {
  const firstNew = factors.findIndex(({ name }) => above?.factors[name] !== row.factors[name]);
  return factors.map(({ name }, at) => (at < firstNew ? '' : printable(String(row.factors[name] ?? missing))));
}

function describe(name: string, level: Level): string {
  return printable(describeLevel(name, level));
}

function repetitions({ valid, planned }: CellGroup, styles: Styles): string {
  const text = `${valid.length}/${planned}`;
  return valid.length < planned ? styles.yellow(text) : text;
}

function flagText({ flags }: CellFigures): string {
  return stripVTControlCharacters(
    Object.keys(flags)
      .map((flag) => flagLetters[flag] ?? printable(flag))
      .join(' '),
  );
}
