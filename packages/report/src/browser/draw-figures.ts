/** Draws every figure that the script owns: one panel per setting, with a common legend. */
import type { ChartData } from '../html/chart-data.ts';
import { ecdf } from './charts/ecdf.ts';
import { overTime } from './charts/over-time.ts';
import { percentiles } from './charts/percentiles.ts';
import { rates } from './charts/rates.ts';
import type { Choice } from './controls.ts';
import { dashOf } from './dashes.ts';
import { drawPanel, type PanelChart, panelFor } from './panel.ts';

/** Builds the panels of a figure for the current choice. */
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
    drawing.replaceChildren(
      ...(panels.length === 0 ? [empty] : [legend(data, choice, figure.dataset.draw === 'rates'), grid]),
    );
    const places = panels.map(panelFor);
    grid.append(...places);
    for (const [at, place] of places.entries()) drawPanel(panels[at] as PanelChart, place);
    for (const tools of figure.querySelectorAll<HTMLElement>('.tools')) tools.hidden = panels.length === 0;
  }
}

function legend(data: ChartData, { cells }: Choice, points: boolean): HTMLElement {
  const list = document.createElement('ul');
  list.className = 'legend';
  const shown = new Map([...cells].map((at) => [data.cells[at]?.label ?? '', data.cells[at]?.colour ?? '']));
  for (const [label, colour] of shown) {
    const item = document.createElement('li');
    item.append(sample(colour, points ? undefined : dashOf(data, label)), label);
    list.append(item);
  }
  return list;
}

/** Legend entry: a short line, or a dot if the chart has no lines. */
function sample(colour: string, dash: string | undefined): SVGElement {
  const paint = `var(${colour})`;
  const shape =
    dash === undefined
      ? element('circle', { cx: '7', cy: '5', r: '4', fill: paint })
      : element('line', {
          x1: '0',
          x2: '26',
          y1: '5',
          y2: '5',
          stroke: paint,
          'stroke-width': '2.5',
          'stroke-dasharray': dash,
        });
  const svg = element('svg', { width: dash === undefined ? '14' : '26', height: '10', 'aria-hidden': 'true' });
  svg.append(shape);
  return svg;
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const created = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  return created;
}
