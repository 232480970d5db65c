/**
 * Requests that planned crashes cost, measured and by the model, and whether decentralised architectures lose more at
 * equal crash rates: the finding of a published study (docs/crash-study.md).
 */
import { counted, factorHeading, groupedBy } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { formatCount, formatShort, numberColumn, type StudyTable, textColumn } from '@topo-bench/report';
import { describeLevels, type ReportModel } from '@topo-bench/report/model';
import { median, medianInterval, pairedShift } from '@topo-bench/stats';
import type { Findings } from './findings.ts';

const alpha = 0.05;
const baseline = 'central-entity';

interface Repetition {
  number: number;
  crashes: number;
  /** Requests that were not served because of crashes, and those that the model expects. */
  measured: number;
  modelled: number;
  scheduled: number;
}

interface CrashedCell {
  levels: ReportModel['groups'][number]['factors'];
  /** Index of the cell in the report. */
  cell: number;
  repetitions: Repetition[];
  /** All crashes are at drawn times: each role has the same rate. */
  isDrawn: boolean;
}

/** Empty without planned crashes. */
export function crashLosses(model: ReportModel): Findings[] {
  const cells = crashedCells(model);
  if (cells.length === 0) return [];
  const sentences = [...modelSentences(model, cells), ...publishedFinding(model, cells), ...withoutModel(model)];
  return [{ sentences, table: tableOf(model, cells) }];
}

function tableOf(model: ReportModel, cells: readonly CrashedCell[]): StudyTable {
  const factors = varying(model);
  return {
    id: 'crash-losses',
    title: 'Requests lost to crashes',
    note: 'Requests that were not served because of crashes: lost, failed or late. Per crash, and as a share of all requests: the median of the repetitions with its 95% interval where there are six or more, next to what the model expects. The model has the measured time from each crash until the role was ready again.',
    columns: [
      ...factors.map(({ name }) => textColumn(factorHeading(name))),
      ...['crashes', 'per crash', 'modelled', '% of requests', '% modelled'].map(numberColumn),
    ],
    rows: cells.map(({ levels, repetitions }) => [
      ...factors.map(({ name }) => String(levels[name] ?? '–')),
      formatCount(repetitions.reduce((sum, { crashes }) => sum + crashes, 0)),
      medianText(perCrash(repetitions, 'measured')),
      formatShort(median(perCrash(repetitions, 'modelled'))),
      medianText(repetitions.map(percent('measured'))),
      formatShort(median(repetitions.map(percent('modelled')))),
    ]),
    cells: cells.map(({ cell }) => cell),
  };
}

function modelSentences(model: ReportModel, cells: readonly CrashedCell[]): string[] {
  const shown = cells.slice(0, 6);
  const each = shown.map(({ levels, repetitions }) => {
    const name = describeLevels(varying(model), levels);
    const modelled = formatShort(median(perCrash(repetitions, 'modelled')));
    return `${name} ${medianText(perCrash(repetitions, 'measured'))} and ${modelled}`.trim();
  });
  const judged = cells.flatMap(({ repetitions }): boolean[] => {
    const [low, high] = medianInterval(
      repetitions.map((one) => one.measured - one.modelled),
      alpha,
    );
    return Number.isFinite(low) ? [low <= 0 && 0 <= high] : [];
  });
  const within = judged.filter((one) => one).length;
  return [
    `Requests that were not served per crash, measured and by the model: ${each.join(', ')}.`,
    ...(judged.length === 0
      ? []
      : [`In ${within} of ${judged.length} cells the difference of the two has a 95% interval that contains 0.`]),
  ];
}

/**
 * Each decentralised architecture against the central entity, at equal other levels. Repetitions of equal number are
 * pairs: roles of one name crash at equal times in them.
 */
function publishedFinding(model: ReportModel, cells: readonly CrashedCell[]): string[] {
  const others = varying(model).filter(({ name }) => name !== 'architecture');
  const keyOf = ({ levels }: CrashedCell): string => describeLevels(others, levels);
  const drawn = cells.filter(({ isDrawn }) => isDrawn);
  const comparisons = drawn.flatMap((cell) => {
    const architecture = String(cell.levels.architecture);
    const central = drawn.find((one) => one.levels.architecture === baseline && keyOf(one) === keyOf(cell));
    if (!central || architecture === baseline || architecture === 'none') return [];
    const differences = cell.repetitions.flatMap((repetition) => {
      const pair = central.repetitions.find(({ number }) => number === repetition.number);
      return pair ? [percent('measured')(repetition) - percent('measured')(pair)] : [];
    });
    return differences.length === 0 ? [] : [{ architecture, ...pairedShift(differences, alpha) }];
  });
  if (comparisons.length === 0) return [];
  const texts = [...groupedBy(comparisons, (one) => one.architecture)].map(([architecture, own]) => {
    const more = own.filter(({ interval }) => interval[0] > 0).length;
    const fewer = own.filter(({ interval }) => interval[1] < 0).length;
    const verdict =
      more === own.length ? 'confirms' : fewer > 0 && more === 0 ? 'refutes' : 'neither confirms nor refutes';
    const lessText = fewer > 0 ? ` and fewer in ${fewer}` : '';
    return `${verdict} it for ${architecture} (more in ${more}${lessText} of ${counted(own.length, 'setting')}; ${rangeText(own)})`;
  });
  return [
    `Published: at equal crash probability of each role, decentralised architectures lose more requests than ${baseline}. This run ${texts.join(', ')}.`,
  ];
}

/** Differences of shares of all requests. */
function rangeText(comparisons: readonly { estimate: number; interval: readonly [number, number] }[]): string {
  const estimates = comparisons.map(({ estimate }) => estimate);
  const signed = (value: number): string => `${value < 0 ? '' : '+'}${formatShort(value)}`;
  const ends = [Math.min(...estimates), Math.max(...estimates)].map(signed);
  const [low, high] = [
    Math.min(...comparisons.map(({ interval }) => interval[0])),
    Math.max(...comparisons.map(({ interval }) => interval[1])),
  ];
  const interval = Number.isFinite(high - low)
    ? `95% ${comparisons.length > 1 ? 'intervals within' : 'interval'} [${formatShort(low)}, ${formatShort(high)}]`
    : 'too few repetitions for an interval';
  return `${[...new Set(ends)].join(' to ')} percentage points, ${interval}`;
}

function crashedCells({ groups }: ReportModel): CrashedCell[] {
  return groups.flatMap(({ factors: levels, valid }, cell): CrashedCell[] => {
    const repetitions = valid.flatMap((entry) => repetitionOf(entry) ?? []);
    const crashes = valid.flatMap(crashesOf);
    if (repetitions.length === 0 || crashes.length === 0) return [];
    return [{ levels, cell, repetitions, isDrawn: crashes.every(({ drawn }) => drawn) }];
  });
}

/** Cells of which the model has no figure: those with replicas or resilience, and simulated ones. */
function withoutModel(model: ReportModel): string[] {
  const names = model.groups.flatMap(({ factors, valid }) => {
    const [all, modelled] = [valid.flatMap(allCrashes), valid.flatMap(crashesOf)];
    return all.length > 0 && modelled.length === 0 ? [describeLevels(varying(model), factors)] : [];
  });
  return names.length === 0 ? [] : [`Left out, as the model has no figure for them: ${names.join('; ')}.`];
}

function allCrashes({ events = [] }: Cell) {
  return events.filter(({ kind, effects }) => kind === 'crash' && effects);
}

function crashesOf(entry: Cell) {
  return allCrashes(entry).filter(({ expected }) => expected !== undefined);
}

/** Drawn crashes may be none in a repetition: it counts for the share of requests alone. */
function repetitionOf(entry: Cell): Repetition | undefined {
  if (!entry.classes) return undefined;
  const repetition: Repetition = {
    number: entry.repetition,
    crashes: 0,
    measured: 0,
    modelled: 0,
    scheduled: entry.classes.scheduled,
  };
  for (const { effects, expected = 0 } of crashesOf(entry)) {
    repetition.crashes++;
    repetition.measured += effects ? effects.lost + effects.failed + effects.late : 0;
    repetition.modelled += expected;
  }
  return repetition;
}

type Side = 'measured' | 'modelled';

function perCrash(repetitions: readonly Repetition[], side: Side): number[] {
  return repetitions.flatMap((one) => (one.crashes > 0 ? one[side] / one.crashes : []));
}

function percent(side: Side): (one: Repetition) => number {
  return (one) => (100 * one[side]) / Math.max(1, one.scheduled);
}

/** `12 [9, 17]`; without an interval for fewer than six values. */
function medianText(values: readonly number[]): string {
  const [low, high] = medianInterval(values, alpha);
  const range = Number.isFinite(low) ? ` [${formatShort(low)}, ${formatShort(high)}]` : '';
  return `${formatShort(median(values))}${range}`;
}

function varying({ factors }: ReportModel): ReportModel['factors'] {
  return factors.filter(({ levels }) => levels.length > 1);
}
