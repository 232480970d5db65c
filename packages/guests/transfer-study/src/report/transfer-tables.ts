/** Bulk transfers as tables of texts, the same in the terminal, in Markdown and on the page. */
import { counted } from '@topo-bench/core';
import {
  formatCount,
  formatFigure,
  formatRatio,
  missing,
  numberColumn,
  type RowCells,
  type StudyTable,
  sentenceColumn,
  textColumn,
} from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { flagTexts } from '@topo-bench/results';
import { intervalText } from '@topo-bench/study-kit/interval-text';
import type { TransferEntry } from '../parts.ts';
import { type CellPair, costText, governancePairs, isBounded, protocolPairs } from './pairs.ts';
import { publishedTable } from './published-table.ts';
import type { PublishedThroughput } from './published-throughputs.ts';
import { levelsOf, type TransferCell, transferCells } from './transfer-cells.ts';
import { protocolName } from './transfer-sentences.ts';

/** @param published throughputs to show next to the measured ones */
export function transferTables(report: ReportModel, published?: readonly PublishedThroughput[]): StudyTable[] {
  const cells = transferCells(report);
  return [
    ...savingsTable(cells),
    ...governanceTable(cells),
    throughputTable(cells),
    ...publishedTable(published, cells),
    streamTable(cells),
    resourcesTable(cells),
  ];
}

function savingsTable(cells: readonly TransferCell[]): StudyTable[] {
  const pairs = protocolPairs(cells);
  if (pairs.length === 0) return [];
  const rows = pairs.map((pair) => [
    protocolName(pair.baseline.protocol),
    ...settingTexts(pair.candidate),
    formatFigure(pair.candidate.figures.rowsPerSecond / 1e6),
    formatFigure(pair.baseline.figures.rowsPerSecond / 1e6),
    formatRatio(pair.estimate),
    intervalText(pair, formatRatio),
    pair.candidate.group.valid.length === pair.baseline.group.valid.length
      ? String(pair.candidate.group.valid.length)
      : `${pair.candidate.group.valid.length}, ${pair.baseline.group.valid.length}`,
  ]);
  return [
    {
      id: 'savings',
      title: 'What Flight saves',
      note: 'Rows per second of Flight to those of another protocol for the same table, from and to columns (Arrow) or objects (JSON): Hodges–Lehmann ratio with the exact 95% rank interval over repetitions.',
      columns: [
        textColumn('against'),
        ...settingColumns,
        numberColumn('Flight (M rows/s)'),
        numberColumn('other (M rows/s)'),
        numberColumn('ratio'),
        textColumn('95% interval'),
        numberColumn('repetitions'),
      ],
      rows,
      cells: pairs.map(comparedCells),
    },
  ];
}

function governanceTable(cells: readonly TransferCell[]): StudyTable[] {
  const pairs = governancePairs(cells);
  if (pairs.length === 0) return [];
  const percent = (ratio: number): string => (Number.isNaN(ratio) ? missing : costText(ratio));
  const rows = pairs.map((pair) => {
    const { baseline, candidate, estimate, interval } = pair;
    const [cell]: readonly TransferEntry[] = candidate.group.valid;
    const decisions = cell?.decisions;
    const exposed = Object.entries(cell?.exposureBytes ?? {}).map(
      ([category, bytes]) => `${formatFigure(bytes / 1e6)} MB ${category}`,
    );
    return [
      candidate.others || String(candidate.levels.rules ?? ''),
      baseline.others || String(baseline.levels.rules ?? ''),
      ...settingTexts(candidate),
      percent(estimate),
      isBounded(pair) ? `${percent(interval[1])} to ${percent(interval[0])}` : 'unknown',
      `${serviceCpuText(candidate)} (${serviceCpuText(baseline)})`,
      formatCount(cell?.flight?.governed?.rows ?? Number.NaN),
      decisions ? effectsText(decisions) : missing,
      exposed.join(', ') || 'nothing',
    ];
  });
  return [
    {
      id: 'governance',
      title: 'What governance costs',
      note: 'Cells that differ in the rules in force alone. Cost: share of the rows per second that the rules take; below 0 where more rows go through, as less is sent. Service CPU: ms per million rows, in brackets without these rules; it counts also where the generator is the limit. Decisions, one per row, and bytes withheld are those of one repetition.',
      columns: [
        textColumn('rules'),
        textColumn('against'),
        ...settingColumns,
        numberColumn('cost'),
        textColumn('95% interval'),
        numberColumn('service CPU (against)'),
        numberColumn('rows decided'),
        textColumn('decisions'),
        textColumn('withheld'),
      ],
      rows,
      cells: pairs.map(comparedCells),
    },
  ];
}

function comparedCells({ baseline, candidate }: CellPair): RowCells {
  return { all: [baseline.index, candidate.index] };
}

/** One percent of a core for one second is 10 ms. */
function serviceCpuText({ figures: { serviceCpuPercent, rowsPerSecond } }: TransferCell): string {
  return formatFigure((serviceCpuPercent * 10) / (rowsPerSecond / 1e6));
}

function effectsText(decisions: Record<'allow' | 'deny' | 'redact' | 'reroute', number>): string {
  const made = (['allow', 'deny', 'redact', 'reroute'] as const).filter((effect) => decisions[effect] > 0);
  return made.map((effect) => `${formatCount(decisions[effect])} ${effect}`).join(', ') || 'none';
}

/** One column per number of streams, as in the study. */
function throughputTable(cells: readonly TransferCell[]): StudyTable {
  const streams = levelsOf(cells, 'streams');
  const lines = new Map<string, { head: string[]; own: TransferCell[] }>();
  for (const cell of cells) {
    const head = [protocolName(cell.protocol), cell.operation, formatCount(cell.rows), cell.others];
    const key = JSON.stringify(head);
    const line = lines.get(key) ?? { head, own: [] };
    line.own.push(cell);
    lines.set(key, line);
  }
  const rows = [...lines.values()].map(({ head, own }) => [
    ...(hasOthers(cells) ? head : head.slice(0, -1)),
    ...streams.map((count) => speedText(own.find((cell) => cell.streams === count))),
  ]);
  return {
    id: 'throughput',
    title: streams.length > 1 ? 'Throughput in MB/s by streams' : 'Throughput in MB/s',
    note: 'Megabytes of columns (10⁶ bytes) per second over the whole transfer, all streams together; median over the valid repetitions. A byte counts alike whatever carries it.',
    columns: [
      textColumn('protocol'),
      textColumn('operation'),
      numberColumn('rows per stream'),
      ...(hasOthers(cells) ? [textColumn('others')] : []),
      ...streams.map((count, at) => numberColumn(at > 0 ? String(count) : counted(count, 'stream'))),
    ],
    rows,
    cells: [...lines.values()].map(({ own }) => own.map(({ index }) => index)),
  };
}

function speedText(cell: TransferCell | undefined): string {
  return cell ? formatFigure(cell.figures.megabytesPerSecond) : '';
}

function streamTable(cells: readonly TransferCell[]): StudyTable {
  const rows = cells.map((cell) => {
    const { figures, group } = cell;
    return [
      ...cellTexts(cell, cells),
      formatFigure(figures.megabytesPerSecond),
      rangeText([...cell.speeds.values()]),
      formatFigure(figures.streamMegabytesPerSecond),
      formatFigure(figures.rowsPerSecond / 1e6),
      formatFigure(figures.firstBatchMs),
      formatFigure(figures.durationS),
      errorsText(cell),
      `${group.valid.length}/${group.planned}`,
    ];
  });
  const headings = ['each stream', 'M rows/s', '1st batch (ms)', 'time (s)'];
  return {
    id: 'by-cell',
    title: 'Every cell',
    note: 'Medians over the valid repetitions; range: from the slowest repetition to the fastest, in MB/s. First batch: from the start of a stream to its first batch (get), or to the acknowledgement of it (put).',
    columns: [
      ...cellColumns(cells),
      numberColumn('MB/s'),
      textColumn('range'),
      ...headings.map(numberColumn),
      textColumn('errors'),
      numberColumn('valid'),
    ],
    rows,
    cells: cells.map(({ index }) => index),
  };
}

function rangeText(values: readonly number[]): string {
  return values.length === 0 ? missing : `${formatFigure(Math.min(...values))} to ${formatFigure(Math.max(...values))}`;
}

function resourcesTable(cells: readonly TransferCell[]): StudyTable {
  const rows = cells.map((cell) => {
    const { figures, group } = cell;
    return [
      ...cellTexts(cell, cells),
      formatFigure(figures.serviceCpuPercent),
      formatFigure(figures.serviceRssMb),
      formatFigure(figures.generatorCpuPercent),
      formatFigure(figures.generatorRssMb),
      formatFigure(figures.hostIdlePercent),
      flagTexts(group.valid).join(', '),
    ];
  });
  const headings = ['service CPU %', 'service MB', 'generator CPU %', 'generator MB', 'host idle %'];
  return {
    id: 'resources',
    title: 'What it took',
    note: 'CPU and memory over the transfer, of the service and of the generator at its other end; 100% is one core. Flags: host-saturated, the host was idle for less than 5%; foreign-load, other programs had 10% of its processors or more; stolen, a hypervisor gave 1% or more to others; generator-limited, the generator was busy all the time and the service was not; cold, the rate had not settled before.',
    columns: [...cellColumns(cells), ...headings.map(numberColumn), sentenceColumn('flags')],
    rows,
    cells: cells.map(({ index }) => index),
  };
}

function errorsText({ group: { valid, invalid } }: TransferCell): string {
  const counts = new Map<string, number>();
  for (const { errors } of [...valid, ...invalid]) {
    for (const [kind, count] of Object.entries(errors)) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ') || '0';
}

const settingColumns = [textColumn('operation'), numberColumn('streams'), numberColumn('rows per stream')];

function settingTexts({ operation, streams, rows }: TransferCell): string[] {
  return [operation, String(streams), formatCount(rows)];
}

function cellColumns(cells: readonly TransferCell[]): StudyTable['columns'] {
  return [textColumn('protocol'), ...settingColumns, ...(hasOthers(cells) ? [textColumn('others')] : [])];
}

function cellTexts(cell: TransferCell, cells: readonly TransferCell[]): string[] {
  return [protocolName(cell.protocol), ...settingTexts(cell), ...(hasOthers(cells) ? [cell.others] : [])];
}

/** Whether any factor without its own column varies. */
function hasOthers(cells: readonly TransferCell[]): boolean {
  return cells.some(({ others }) => others !== '');
}
