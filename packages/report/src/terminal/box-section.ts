/** A small box plot per cell, all on one axis. */
import { infiniteText } from '../figure-text.ts';
import { type BoxPlot, boxPlotOf } from '../model/box-plot.ts';
import type { CellGroup } from '../model/cell-group.ts';
import { levelsKey } from '../model/factors.ts';
import { publishedMedianUs } from '../model/published.ts';
import type { ReportModel } from '../model/report-model.ts';
import { scaleFor } from '../scale.ts';
import { factorColumns, factorTexts, shownFactors } from './factor-cells.ts';
import type { Styles } from './styles.ts';
import { axisLine, boxKey, boxLine } from './text-box.ts';
import { textTable } from './text-table.ts';

/** Characters that a plot needs to say anything, and beyond which it says no more. */
const narrowest = 24;
const widest = 80;

/** Empty while no cell has a valid repetition, and where the terminal is too narrow beside the names of the cells. */
export function boxSection(report: ReportModel, columns: number, styles: Styles): string[] {
  const { factors, groups, published, drainUs } = report;
  const boxes = groups.flatMap((group, at): { group: CellGroup; at: number; box: BoxPlot }[] => {
    const box = report.boxPlots.rtt.get(levelsKey(group.factors)) ?? boxPlotOf(group, undefined, 'rtt');
    return box ? [{ group, at, box }] : [];
  });
  const shown = shownFactors(factors);
  const names = groups.map((group, at) => factorTexts(shown, group, groups[at - 1]));
  const namesWidth = shown.reduce(
    (sum, _, at) =>
      sum + 2 + Math.max(factorColumns(shown)[at]?.heading.length ?? 0, ...names.map((row) => row[at]?.length ?? 0)),
    0,
  );
  const width = Math.min(widest, columns - namesWidth);
  if (boxes.length === 0 || width < narrowest) return [];
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
