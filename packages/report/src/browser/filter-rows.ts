/**
 * Hides the rows and drawings of cells that are not selected, those of several cells when none is, comparisons when one
 * of their cells is not, blocks without visible rows, and parts of other metrics.
 */
import type { Choice } from './controls.ts';

export function filterRows({ cells, metric }: Choice): void {
  for (const row of document.querySelectorAll<HTMLElement>('[data-cell]'))
    row.hidden = !cells.has(Number(row.dataset.cell));
  for (const one of document.querySelectorAll<HTMLElement | SVGElement>('[data-cells], [data-all-cells]')) {
    const { cells: some = '', allCells } = one.dataset;
    const own = (allCells ?? some).split(' ').map(Number);
    const isShown = (cell: number): boolean => cells.has(cell);
    // A drawn element has the attribute only.
    one.toggleAttribute('hidden', !(allCells === undefined ? own.some(isShown) : own.every(isShown)));
  }
  for (const block of document.querySelectorAll<HTMLElement>('.chart tbody, .panel')) {
    block.hidden = block.querySelector('tr[data-cell]:not([hidden])') === null;
  }
  for (const part of document.querySelectorAll<HTMLElement>('[data-metric]'))
    part.hidden = part.dataset.metric !== metric;
}
