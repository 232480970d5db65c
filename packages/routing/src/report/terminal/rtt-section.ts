/** A row per cell in the layout of the routing study: five-number summary and tail of the RTT. */
import { basename } from 'node:path';
import type { Summary } from '@topo-bench/core/schema/result';
import { formatCount, formatFigure, formatMs, infiniteText, missing, timesOf } from '@topo-bench/report';
import { type CellFigures, type CellGroup, hasUnfinished } from '@topo-bench/report/model';
import {
  type Column,
  factorColumns,
  factorTexts,
  fixedLevels,
  printable,
  type Styles,
  shownFactors,
  textTable,
  withoutColumns,
  wrapped,
} from '@topo-bench/report/terminal';
import { largestShare, throttledText } from '@topo-bench/results';
import { publishedMedianUs } from '../published-medians.ts';
import type { RoutingModel } from '../routing-model.ts';
import { sameRequestSentences } from '../same-request-sentences.ts';

const figureColumns: { heading: string; of: keyof Summary; dropOrder: number }[] = [
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

/** One letter per flag keeps the row short; the legend spells them out. */
const flagLetters: Record<string, string> = {
  'host-saturated': 'S',
  'foreign-load': 'F',
  stolen: 'H',
  'cpu-throttled': 'T',
  cold: 'C',
  unfinished: 'U',
  overlap: 'O',
  'open-service': 'A',
};

export function rttSection(report: RoutingModel, width: number, styles: Styles): string[] {
  const shown = shownFactors(report.factors);
  const columns: Column[] = [
    ...factorColumns(shown),
    ...figureColumns.map(({ heading, dropOrder }) => ({ heading, align: 'right' as const, dropOrder })),
    ...(hasUnfinished(report) ? [{ heading: 'unfinished', align: 'right' as const, dropOrder: 1 }] : []),
    ...(report.published ? [{ heading: 'published', align: 'right' as const }] : []),
    { heading: 'sent/s', align: 'right', dropOrder: 2 },
    { heading: 'reps', align: 'right' },
    { heading: 'flags', align: 'left' },
  ];
  const rows = report.groups.map((group, index) => [
    ...factorTexts(shown, group, report.groups[index - 1]),
    ...figureTexts(report, group, styles),
  ]);
  const table = textTable(columns, rows, width, styles.dim);
  return [
    styles.bold(['Round-trip time in ms', ...fixedLevels(report.factors)].join(', ')),
    ...table.lines,
    ...[...withoutColumns(table), ...notes(report)].map(styles.dim),
    ...sameRequestSentences(report.sameRequests, report.factors).flatMap((text) =>
      wrapped(printable(text), width).map(styles.dim),
    ),
  ];
}

function figureTexts(report: RoutingModel, group: CellGroup, styles: Styles): string[] {
  const { published, drainUs } = report;
  const { figures, valid, planned } = group;
  const infinite = infiniteText(drainUs, figures && timesOf(figures.rtt));
  const repetitions = `${valid.length}/${planned}`;
  return [
    ...figureColumns.map(({ of }) => {
      const text = figures ? formatMs(figures.rtt[of], infinite) : missing;
      return of === 'medianUs' ? styles.bold(text) : text;
    }),
    ...(hasUnfinished(report) ? [figures ? formatCount(figures.outcomes.unfinished) : missing] : []),
    ...(published ? [formatMs(publishedMedianUs(published, group.factors) ?? Number.NaN, infinite)] : []),
    figures ? formatFigure(figures.achievedRps) : missing,
    valid.length < planned ? styles.yellow(repetitions) : repetitions,
    figures ? flagText(figures, styles) : '',
  ];
}

function flagText({ flags }: CellFigures, styles: Styles): string {
  const names = Object.keys(flags);
  return names.length === 0 ? '' : styles.yellow(names.map((flag) => flagLetters[flag] ?? printable(flag)).join(' '));
}

function notes({ groups, published, drainUs }: RoutingModel): string[] {
  const cells = groups.flatMap(({ valid }) => valid);
  const legend: Record<string, string> = {
    'host-saturated': 'S host saturated (compare with care)',
    'foreign-load': `F foreign load (other programs had up to ${largestShare('foreign-load', cells)} of the processors)`,
    stolen: `H stolen (a hypervisor gave up to ${largestShare('stolen', cells)} of the processors to other machines)`,
    'cpu-throttled': `T CPU-throttled${throttledText(cells)}`,
    cold: 'C cold (throughput had not settled)',
    overlap: 'O overlap (requests of one level ran into the turn of another)',
    'open-service': 'A open to any caller (a user-supplied service does not check its token)',
    unfinished: `U unfinished requests (endless in quantiles, mean and std; shown as ${infiniteText(drainUs)} or more)`,
  };
  const flags = new Set(groups.flatMap(({ figures }) => Object.keys(figures?.flags ?? {})));
  return [
    'Each figure is the median, over the valid repetitions, of that figure in each repetition.',
    ...(flags.size > 0 ? [`Flags: ${[...flags].map((flag) => legend[flag] ?? printable(flag)).join(', ')}.`] : []),
    ...(published ? [`Published medians: ${printable(basename(published.file))}.`] : []),
  ];
}
