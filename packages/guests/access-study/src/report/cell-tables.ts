/** Tables with a row for each cell of a data-access study: its time, the parts of it, and what it took. */
import { formatCount, formatFigure, numberColumn, type StudyTable, textColumn } from '@topo-bench/report';
import { flagTexts } from '@topo-bench/results';
import { medianIntervalText } from '@topo-bench/study-kit/interval-text';
import type { AccessEntry } from '../parts.ts';
import { type AccessCell, partNames } from './access-cells.ts';
import { cellColumns, cellTexts } from './cell-columns.ts';

export function cellTable(cells: readonly AccessCell[]): StudyTable {
  const rows = cells.map((cell) => {
    const { figures, group, durations } = cell;
    return [
      ...cellTexts(cell, cells),
      formatFigure(figures.durationMs),
      medianIntervalText(durations, formatFigure),
      formatFigure(figures.studyMeanMs),
      formatCount(figures.rowsPerSecond),
      formatFigure(figures.megabytesPerSecond),
      `${group.valid.length}/${group.planned}`,
      flagTexts(group.valid).join(', '),
    ];
  });
  return {
    id: 'by-cell',
    title: 'Every cell',
    note: 'Median over the valid repetitions with its 95% interval (6 repetitions or more), and the summary of the published study: the mean without the smallest and the largest. MB/s: 10⁶ bytes of the columns as Arrow buffers, the same bytes for every variant.',
    columns: [
      ...cellColumns(cells),
      numberColumn('time (ms)'),
      textColumn('95% interval'),
      numberColumn("study's mean (ms)"),
      numberColumn('rows/s'),
      numberColumn('MB/s'),
      numberColumn('valid'),
      textColumn('flags'),
    ],
    rows,
    cells: cells.map(({ index }) => index),
  };
}

export function partTable(cells: readonly AccessCell[]): StudyTable {
  const names = partNames.filter((name) => cells.some(({ parts }) => parts[name] !== undefined));
  const hasConversion = cells.some(({ conversionMs }) => !Number.isNaN(conversionMs));
  return {
    id: 'parts',
    title: 'Parts of the time',
    note: `Median of each part in ms. discover: a connector finds the table. image, create, start: until the program runs. first-byte: until its first output. connect: the client opens the store or server. read: data arrive, and a driver makes rows or columns of them. conversion: the client makes objects of messages. return: the read ends.${hasConversion ? ' of which conversion: the Flight server makes record batches of rows, while the client reads.' : ''} The clock stops while the client computes the checksum.`,
    columns: [
      ...cellColumns(cells),
      ...names.map(numberColumn),
      ...(hasConversion ? [numberColumn('of which conversion')] : []),
    ],
    rows: cells.map((cell) => [
      ...cellTexts(cell, cells),
      ...names.map((name) => formatFigure(cell.parts[name] ?? Number.NaN)),
      ...(hasConversion ? [formatFigure(cell.conversionMs)] : []),
    ]),
    cells: cells.map(({ index }) => index),
  };
}

export function resourceTable(cells: readonly AccessCell[]): StudyTable {
  const entries = cells.map((cell) => cell.group.valid.flatMap(({ access }: AccessEntry) => access ?? []));
  const roles = [...new Set(entries.flat().flatMap((access) => Object.keys(access.roles)))];
  const wires = [...new Set(entries.flat().flatMap((access) => Object.keys(access.wireBytes)))];
  const middle = (values: readonly (number | undefined)[], scale: number): string => {
    const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
    const value = known[Math.floor((known.length - 1) / 2)];
    return value === undefined ? '' : formatFigure(value / scale);
  };
  return {
    id: 'resources',
    title: 'What it took',
    note: 'Over the read: CPU time and peak resident memory by role, and bytes received on each wire; those from a store to a program count from the first row on. Pages that processes of a database server share count once where the system distinguishes them, else once for each.',
    columns: [
      ...cellColumns(cells),
      ...roles.flatMap((role) => [numberColumn(`${role} CPU ms`), numberColumn(`${role} peak MB`)]),
      ...wires.map((wire) => numberColumn(`${wire} (MB)`)),
    ],
    rows: cells.map((cell, at) => [
      ...cellTexts(cell, cells),
      ...roles.flatMap((role) => {
        const own = (entries[at] ?? []).map((access) => access.roles[role]);
        return [
          middle(
            own.map((use) => use?.cpuUs),
            1e3,
          ),
          middle(
            own.map((use) => use?.peakRssBytes),
            1e6,
          ),
        ];
      }),
      ...wires.map((wire) =>
        middle(
          (entries[at] ?? []).map((access) => access.wireBytes[wire]),
          1e6,
        ),
      ),
    ]),
    cells: cells.map(({ index }) => index),
  };
}
