/** A self-test in the terminal: what was measured, a line for each limit, and what to use. */
import { formatChangeWithInterval, percentText, type SelfTest, type SelfTestRow } from '@topo-bench/comparison';
import { formatSeconds } from '@topo-bench/core';
import { printable, stylesFor, textTable } from '@topo-bench/report/terminal';
import type { Suggestion } from './suggestion.ts';

export interface SelfTestReport extends SelfTest {
  runDir: string;
  roundSeconds: number;
  maxSeconds: number;
  suggested?: Suggestion;
}

export function selfTestText(
  report: SelfTestReport,
  { columns, colours }: { columns: number; colours: boolean },
): string {
  const styles = stylesFor(colours);
  const { rows, metrics, rounds, validRounds, roundSeconds, maxSeconds, suggested, runDir } = report;
  const severalCells = rows.some(({ oneCellPercent }) => oneCellPercent !== undefined);
  const table = textTable(
    [
      { heading: 'threshold', align: 'left' },
      { heading: 'a gate takes', align: 'right' },
      { heading: 'false alarms', align: 'right' },
      { heading: 'cannot tell', align: 'right' },
      { heading: severalCells ? 'finds, in all cells' : 'finds', align: 'right' },
      ...(severalCells ? [{ heading: 'in one cell', align: 'right' as const }] : []),
    ],
    rows.map((row) => cellsOf(row, roundSeconds)),
    columns,
    styles.bold,
  );
  return [
    `${validRounds} of ${rounds} pairs of equal sides are valid, ${formatSeconds(roundSeconds)} each · ${printable(runDir)}`,
    ...metrics.map(({ metric, differencePercent, intervalPercent }) => {
      const line = `${metric}: the sides differ by ${formatChangeWithInterval(differencePercent, intervalPercent)}`;
      const [low, high] = intervalPercent;
      return low > 0 || high < 0
        ? styles.yellow(`${line}: one side is favoured here, or it is one case in twenty`)
        : line;
    }),
    '',
    ...table.lines,
    styles.dim(
      `${rows[0]?.gates} gates of at most ${formatSeconds(maxSeconds)} are drawn from the pairs for each threshold; "finds": the smallest change that nine of ten gates fail`,
    ),
    ...reasons(rows),
    '',
    suggested
      ? `Suggested here: --threshold '${suggested.threshold}' --max-time ${suggested.maxMinutes}m`
      : 'No threshold tried here would nearly always get a verdict without false alarms: give the gate more time, or free the machine.',
  ].join('\n');
}

/** Why half of the gates or more cannot tell, once for each reason. */
function reasons(rows: readonly SelfTestRow[]): string[] {
  const most = rows.filter(({ undecided, gates }) => undecided >= gates / 2);
  const texts = new Set(most.map(({ undecidedReason = '' }) => undecidedReason));
  return [...texts].map((text) => `Gates that cannot tell say, for example: ${printable(text)}`);
}

function cellsOf({ threshold, pairs, gates, ...row }: SelfTestRow, roundSeconds: number): string[] {
  const { median, p90 } = pairs;
  const many = median === p90 ? `${median} pairs` : `${median} to ${p90} pairs`;
  return [
    printable(threshold),
    `${many}, ${formatSeconds(median * roundSeconds)}`,
    `${row.falseAlarms} of ${gates}`,
    `${row.undecided} of ${gates}`,
    change(row.detectablePercent),
    ...(row.oneCellPercent === undefined ? [] : [change(row.oneCellPercent)]),
  ];
}

function change(percent: number): string {
  return Number.isFinite(percent) ? percentText(percent) : 'nothing';
}
