/**
 * Hides the rows of cells that are not selected, drawn fields of several cells when none is, blocks without visible
 * rows, and parts of other metrics.
 */
import type { Choice } from './controls.ts';

export function filterRows({ cells, metric }: Choice): void {
  for (const row of document.querySelectorAll<HTMLElement>('[data-cell]'))
    row.hidden = !cells.has(Number(row.dataset.cell));
  for (const field of document.querySelectorAll<SVGElement>('[data-cells]')) {
    const own = (field.dataset.cells ?? '').split(' ').map(Number);
    // A drawn element has the attribute only.
    field.toggleAttribute('hidden', !own.some((cell) => cells.has(cell)));
  }
  for (const block of document.querySelectorAll<HTMLElement>('.chart tbody, .panel')) {
    block.hidden = block.querySelector('tr[data-cell]:not([hidden])') === null;
  }
  for (const part of document.querySelectorAll<HTMLElement>('[data-metric]'))
    part.hidden = part.dataset.metric !== metric;
}
