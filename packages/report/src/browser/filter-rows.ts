/** Hides the rows of cells that are not selected, blocks without visible rows, and parts of other metrics. */
import type { Choice } from './controls.ts';

export function filterRows({ cells, metric }: Choice): void {
  for (const row of document.querySelectorAll<HTMLElement>('[data-cell]'))
    row.hidden = !cells.has(Number(row.dataset.cell));
  for (const block of document.querySelectorAll<HTMLElement>('.chart tbody, .panel')) {
    block.hidden = block.querySelector('tr[data-cell]:not([hidden])') === null;
  }
  for (const part of document.querySelectorAll<HTMLElement>('[data-metric]'))
    part.hidden = part.dataset.metric !== metric;
}
