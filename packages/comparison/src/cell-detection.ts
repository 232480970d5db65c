/**
 * Sensitivity of a relative threshold in single cells: which change it could have found, and which cells stay doubtful.
 */
import { describeCell } from '@topo-bench/core';
import { formatChange, formatChangeWithInterval } from './format-value.ts';
import type { GateCell } from './gate-result.ts';
import { percentText } from './sensitivity-sentences.ts';

export interface CellDetection {
  /** Cells that were judged; saturated cells are excluded. */
  cells: readonly GateCell[];
  /** Cells in which no change could have been shown, however large. */
  blind: readonly GateCell[];
  /** Cells beyond the limit by their own p-value, but not by the p-value adjusted over all cells. */
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

/** `13% to 19% (sidecar · 100 req/s)`: the range over the cells, with the levels of the least sensitive cell. */
export function describeDetectable(cells: readonly GateCell[]): string {
  const sizes = cells.map((cell) => Math.abs(cell.detectablePercent as number));
  const max = Math.max(...sizes);
  const [lowest, highest] = [percentText(Math.min(...sizes)), percentText(max)];
  if (lowest === highest) return lowest;
  return `${lowest} to ${highest} (${nameOf(cells[sizes.indexOf(max)] as GateCell)})`;
}

/** Levels and change of the first suspect, and the number of further ones. */
export function describeSuspects([first, ...more]: readonly GateCell[]): string {
  if (!first) return '';
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return `${nameOf(first)} (${formatChange(first.differencePercent)})${others}`;
}

function nameOf({ factors }: GateCell): string {
  return describeCell(factors) || 'the cell';
}

/**
 * A line for each judged cell, least sensitive first: its change and its detectable change. Empty when only one cell
 * was judged.
 */
export function cellLines(all: readonly GateCell[]): string[] {
  const cells = all.filter(({ detectablePercent }) => detectablePercent !== undefined);
  if (cells.length < 2) return [];
  const size = ({ detectablePercent = 0 }: GateCell): number =>
    detectablePercent === -100 ? Infinity : Math.abs(detectablePercent);
  return cells
    .toSorted((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)))
    .map((cell) => `${nameOf(cell)}: ${changeText(cell)}; ${sensitivityText(size(cell))}`);
}

function changeText({ differencePercent, intervalPercent }: GateCell): string {
  return formatChangeWithInterval(differencePercent, intervalPercent);
}

function sensitivityText(percent: number): string {
  return Number.isFinite(percent)
    ? `alone, ${percentText(percent)} would have been seen`
    : 'no change could have been shown';
}
