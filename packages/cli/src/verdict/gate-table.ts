/** The gate in the terminal: a line per threshold with its reason, the cells that failed, then the verdict. */
import {
  cellLines,
  formatChangeWithInterval,
  type GateCell,
  type GateResult,
  type GateVerdict,
  profileHeading,
  profileLines,
} from '@topo-bench/comparison';
import { counted, describeCell } from '@topo-bench/core';
import { printable, type Styles, stylesFor } from '@topo-bench/report/terminal';

const shownCells = 10;

export function gateTable(
  { verdict, thresholds, notes, profile, subject = 'gate' }: GateResult,
  { colours, allowUndecided }: { colours: boolean; allowUndecided: boolean },
): string {
  const styles = stylesFor(colours);
  const lines = thresholds.flatMap(({ threshold, verdict, reason, cells }) => {
    const failed = cells.filter(({ passed }) => passed === false && cells.length > 1);
    const more = failed.length - shownCells;
    return [
      `${mark(verdict, styles)}  ${styles.bold(printable(threshold))}`,
      `      ${printable(reason)}`,
      ...failed.slice(0, shownCells).map((cell) => `      beyond it: ${printable(changeOf(cell))}`),
      ...(more > 0 ? [`      and ${counted(more, 'more cell')}`] : []),
      ...sensitivity(cells).map((line) => styles.dim(`      ${printable(line)}`)),
    ];
  });
  return [
    ...lines,
    ...(profile
      ? [printable(profileHeading(profile)), ...profileLines(profile).map((line) => `      ${printable(line)}`)]
      : []),
    ...notes.map((text) => styles.yellow(`note: ${printable(text)}`)),
    ending(subject, verdict, allowUndecided, styles),
  ].join('\n');
}

/** The cells with the largest detectable change first. */
function sensitivity(cells: readonly GateCell[]): string[] {
  const lines = cellLines(cells);
  const more = lines.length - shownCells;
  return [
    ...lines.slice(0, shownCells),
    ...(more > 0 ? [`and ${more} cells in which smaller changes could be seen`] : []),
  ];
}

function mark(verdict: GateVerdict, styles: Styles): string {
  if (verdict === 'passed') return styles.green('pass');
  return verdict === 'failed' ? styles.red('FAIL') : styles.yellow('  ? ');
}

function changeOf({ factors, differencePercent, intervalPercent }: GateCell): string {
  const change = intervalPercent ? ` ${formatChangeWithInterval(differencePercent, intervalPercent)}` : '';
  return `${describeCell(factors)}${change}`;
}

function ending(subject: string, verdict: GateVerdict, allowUndecided: boolean, styles: Styles): string {
  if (verdict === 'passed') return styles.green(`The ${subject} passed.`);
  if (verdict === 'failed') return styles.red(`The ${subject} failed.`);
  return styles.yellow(`The ${subject} cannot tell${allowUndecided ? ', which --allow-undecided accepts' : ''}.`);
}
