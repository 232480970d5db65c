/** What a relative threshold could have found in single cells, from the cells that were judged: none, some change, or a change that it doubts. */
import { formatChange, formatChangeInterval } from './format-value.ts';
import type { GateCell } from './gate-result.ts';
import { percentText } from './what-could-be-seen.ts';

export interface CellDetection {
  /** Cells that could be judged: saturated ones are left out. */
  cells: readonly GateCell[];
  /** Those in which no change could have been shown, however large. */
  blind: readonly GateCell[];
  /** Those that by themselves lie beyond the limit, where so many cells at once leave it open. */
  suspects: readonly GateCell[];
}

/** @param alpha error rate of the test on single cells */
export function detectionOf(all: readonly GateCell[], alpha: number): CellDetection {
  const cells = all.filter(({ detectablePercent }) => detectablePercent !== undefined);
  return {
    cells,
    blind: cells.filter(({ detectablePercent }) => !Number.isFinite(detectablePercent) || detectablePercent === -100),
    suspects: cells.filter(({ passed, pValue }) => passed !== false && pValue <= alpha),
  };
}

/** `13% to 19% (rate 100)`: over the cells, with the levels of the cell that needs the largest. */
export function describeDetectable(cells: readonly GateCell[]): string {
  const sizes = cells.map((cell) => Math.abs(cell.detectablePercent as number));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const widest = cells[sizes.indexOf(most)] as GateCell;
  const change = (size: number): string => percentText(size);
  return change(least) === change(most) ? change(least) : `${change(least)} to ${change(most)} (${describeLevels(widest)})`;
}

/** The first of them, by name, with its change. */
export function describeSuspects([first, ...more]: readonly GateCell[]): string {
  if (!first) return '';
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return `${describeLevels(first)} (${formatChange(first.differencePercent)})${others}`;
}

export function describeLevels({ factors }: Pick<GateCell, 'factors'>): string {
  const levels = Object.entries(factors).map(([name, level]) => `${name} ${level}`);
  return levels.join(', ') || 'the cell';
}

/** A line per cell that was judged against a relative threshold among others, the least certain first: its change, and what could be seen. */
export function cellLines(all: readonly GateCell[]): string[] {
  const cells = all.filter(({ detectablePercent }) => detectablePercent !== undefined);
  if (cells.length < 2) return [];
  const size = ({ detectablePercent = 0 }: GateCell): number =>
    detectablePercent === -100 ? Infinity : Math.abs(detectablePercent);
  return cells
    .toSorted((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)))
    .map((cell) => `${describeLevels(cell)}: ${changeText(cell)}; ${sensitivityText(size(cell))}`);
}

function changeText({ differencePercent, intervalPercent }: GateCell): string {
  return `${formatChange(differencePercent)}${intervalPercent ? ` (${formatChangeInterval(intervalPercent)})` : ''}`;
}

function sensitivityText(percent: number): string {
  return Number.isFinite(percent) ? `alone, ${percentText(percent)} would have been seen` : 'no change could have been shown';
}
