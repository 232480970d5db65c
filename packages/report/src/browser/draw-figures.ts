/** Draws every figure that the script owns: panels by setting, with one legend. */
import type { ChartData } from '../html/chart-data.ts';
import { ecdf } from './charts/ecdf.ts';
import { overTime } from './charts/over-time.ts';
import { percentiles } from './charts/percentiles.ts';
import { rates } from './charts/rates.ts';
import type { Choice } from './controls.ts';
import { dashOf } from './dashes.ts';
import { drawPanel, type PanelChart } from './panel.ts';

/** The panels of a figure, from what is chosen. */
export type Chart = (data: ChartData, choice: Choice) => PanelChart[];

const charts: Record<string, Chart> = { percentiles, ecdf, 'over-time': overTime, rates };

export function drawFigures(data: ChartData, choice: Choice): void {
  for (const figure of document.querySelectorAll<HTMLElement>('[data-draw]')) {
    const [drawing, chart] = [figure.querySelector('.drawing'), charts[figure.dataset.draw ?? '']];
    if (!drawing || !chart) continue;
    const panels = chart(data, choice);
    const grid = document.createElement('div');
    grid.className = panels.length === 1 ? 'plots single' : 'plots';
    const empty = document.createElement('p');
    empty.textContent = 'Nothing to draw: no cell is chosen, or raw samples are missing.';
    drawing.replaceChildren(...(panels.length === 0 ? [empty] : [legend(data, choice), grid]));
    // Widths are known once the grid is in the page.
    for (const panel of panels) drawPanel(panel, grid);
  }
}

function legend(data: ChartData, { cells }: Choice): HTMLElement {
  const list = document.createElement('ul');
  list.className = 'legend';
  const shown = new Map([...cells].map((at) => [data.cells[at]?.label ?? '', data.cells[at]?.colour ?? '']));
  for (const [label, colour] of shown) {
    const item = document.createElement('li');
    item.append(lineSample(colour, dashOf(data, label)), label);
    list.append(item);
  }
  return list;
}

function lineSample(colour: string, dash: string): SVGElement {
  const names = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(names, 'svg');
  for (const [name, value] of Object.entries({ width: '26', height: '10', 'aria-hidden': 'true' })) svg.setAttribute(name, value);
  const line = document.createElementNS(names, 'line');
  const attributes = {
    x1: '0',
    x2: '26',
    y1: '5',
    y2: '5',
    stroke: `var(${colour})`,
    'stroke-width': '2.5',
    'stroke-dasharray': dash,
  };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
  svg.append(line);
  return svg;
}
