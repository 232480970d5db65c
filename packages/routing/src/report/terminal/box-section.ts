/** A small box plot per cell, all on one axis. */
import { cellKey } from '@topo-bench/core';
import { infiniteText, scaleFor } from '@topo-bench/report';
import { type BoxPlot, boxPlotOf, type CellGroup } from '@topo-bench/report/model';
import {
  axisLine,
  boxKey,
  boxLine,
  factorColumns,
  factorTexts,
  type Styles,
  shownFactors,
  textTable,
} from '@topo-bench/report/terminal';
import { publishedMedianUs } from '../published-medians.ts';
import type { RoutingModel } from '../routing-model.ts';

/** Min and max width of a plot, in characters. */
const minWidth = 24;
const maxWidth = 80;

/** Empty without a valid repetition, and if the names of the cells leave too little width. */
export function boxSection(report: RoutingModel, columns: number, styles: Styles): string[] {
  const { factors, groups, published, drainUs } = report;
  const boxes = groups.flatMap((group, at): { group: CellGroup; at: number; box: BoxPlot }[] => {
    const box = report.boxPlots.rtt.get(cellKey(group.factors)) ?? boxPlotOf(group, undefined, 'rtt');
    return box ? [{ group, at, box }] : [];
  });
  const shown = shownFactors(factors);
  const names = groups.map((group, at) => factorTexts(shown, group, groups[at - 1]));
  const namesWidth = shown.reduce(
    (sum, _, at) =>
      sum + 2 + Math.max(factorColumns(shown)[at]?.heading.length ?? 0, ...names.map((row) => row[at]?.length ?? 0)),
    0,
  );
  const width = Math.min(maxWidth, columns - namesWidth);
  if (boxes.length === 0 || width < minWidth) return [];
  const publishedUs = boxes.flatMap(({ group }) => publishedMedianUs(published, group.factors) ?? []);
  const drawn = [...boxes.flatMap(({ box }) => drawnUs(box)), ...publishedUs];
  const scale = scaleFor(drawn);
  const infinite = infiniteText(drainUs, drawn);
  const table = textTable(
    [...factorColumns(shown), { heading: axisLine(scale, width, infinite), align: 'left' }],
    boxes.map(({ group, at, box }) => [
      ...(names[at] as string[]),
      boxLine(box, scale, width, publishedMedianUs(published, group.factors)),
    ]),
    columns,
    styles.dim,
  );
  const summarised = boxes.some(({ box }) => box.from === 'summaries');
  return [
    styles.bold(`Box plots of the round-trip time, ${scale.kind} axis`),
    ...table.lines,
    styles.dim(
      `${boxKey}${published ? ', ◆ published median' : ''}.${summarised ? ' Whiskers reach to minimum and maximum where raw samples were not read.' : ''}`,
    ),
  ];
}

function drawnUs({ lowUs, q1Us, medianUs, q3Us, highUs, outliersUs }: BoxPlot): number[] {
  return [lowUs, q1Us, medianUs, q3Us, highUs, ...outliersUs];
}
