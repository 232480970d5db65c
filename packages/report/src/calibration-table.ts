/** How far simulated figures may be off: their intervals, and the error of the calibration on held-out cells. */
import { counted, factorHeading, formatUs } from '@topo-bench/core';
import type { CalibrationUncertainty, Cell } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import { missing } from './figure-text.ts';
import type { ReportModel } from './model/report-model.ts';
import { numberColumn, type StudyTable, textColumn } from './study-table.ts';

type Uncertain = Cell & { calibrationUncertainty: CalibrationUncertainty };

/** No table where no cell was simulated with a fitted calibration. */
export function calibrationTables({ groups, factors }: ReportModel): StudyTable[] {
  const rows = groups.flatMap((group, index) => {
    const cells = group.valid.filter((cell): cell is Uncertain => cell.calibrationUncertainty !== undefined);
    return cells.length === 0 ? [] : [{ index, group, cells }];
  });
  const [first] = rows;
  if (!first) return [];
  const varying = factors.filter(({ levels }) => levels.length > 1);
  const { heldOutErrors, disturbed, confidence } = (first.cells[0] as Uncertain).calibrationUncertainty;
  const percent = `${Math.round(100 * confidence)}%`;
  const doubt = disturbed
    ? ' Other programs disturbed the calibration: its errors are no statement on this machine.'
    : '';
  return [
    {
      id: 'calibration',
      title: `How far simulated figures may be off, ${percent} intervals`,
      note: `${heldOutText(heldOutErrors)} Intervals have that error, the uncertainty of the parameters, and replication; they widen with the distance from the calibrated range.${doubt}`,
      columns: [
        ...varying.map(({ name }) => textColumn(factorHeading(name))),
        ...['RTT median', 'its interval', 'RTT p95', 'its interval', 'CPU per request', 'its interval', 'distance'].map(
          numberColumn,
        ),
      ],
      rows: rows.map(({ group, cells }) => [
        ...varying.map(({ name }) => String(group.factors[name] ?? missing)),
        ...figureTexts(
          cells,
          ({ rtt }) => rtt.medianUs,
          ({ medianUs }) => medianUs,
        ),
        ...figureTexts(
          cells,
          ({ rtt }) => rtt.p95Us,
          ({ p95Us }) => p95Us,
        ),
        ...figureTexts(
          cells,
          ({ cpuUsPerRequest }) => cpuUsPerRequest.total ?? Number.NaN,
          ({ cpuUsPerRequest }) => cpuUsPerRequest,
        ),
        median(cells.map(({ calibrationUncertainty: { distance } }) => distance)).toFixed(1),
      ]),
      cells: rows.map(({ index }) => index),
    },
  ];
}

/** The error that stands wherever a simulated figure does. */
export function heldOutText({
  cells,
  medianPercent,
  p95Percent,
  cpuPercent,
}: CalibrationUncertainty['heldOutErrors']): string {
  if (medianPercent === undefined) return 'The calibration was checked on no held-out cell.';
  const text = (value = 0): string => `${value.toFixed(0)}%`;
  return `On ${counted(cells, 'cell')} that it had not seen, the same calibration missed the median by ${text(medianPercent)}, p95 by ${text(p95Percent)} and CPU by ${text(cpuPercent)} (median error).`;
}

function figureTexts(
  cells: readonly Uncertain[],
  figure: (cell: Cell) => number,
  interval: (uncertainty: CalibrationUncertainty) => readonly [number, number],
): string[] {
  const ends = cells.map(({ calibrationUncertainty }) => interval(calibrationUncertainty));
  const at = (end: 0 | 1): string => formatUs(median(ends.map((both) => both[end])));
  return [formatUs(median(cells.map(figure))), `${at(0)} to ${at(1)}`];
}
