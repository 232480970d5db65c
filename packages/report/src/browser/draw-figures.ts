/** Draws every figure that the script owns: one panel per setting, with a common legend. */
import type { ChartData } from '../html/chart-data.ts';
import { ecdf } from './charts/ecdf.ts';
import { lines } from './charts/lines.ts';
import { overTime } from './charts/over-time.ts';
import { percentiles } from './charts/percentiles.ts';
import { rates } from './charts/rates.ts';
import { series } from './charts/series.ts';
import { repetitionsOf, slowestRepetition, usage } from './charts/usage.ts';
import type { Choice } from './controls.ts';
import { dashOf } from './dashes.ts';
import { drawPanel, type PanelChart, panelFor } from './panel.ts';
import { pick } from './pick.ts';

/**
 * Builds the panels of a figure for the current choice.
 * @param picked option that the reader chose, for figures that show one of several
 */
export type Chart = (data: ChartData, choice: Choice, figure: string, picked?: string) => PanelChart[];

const charts: Record<string, Chart> = { percentiles, ecdf, 'over-time': overTime, rates, lines, series, usage };

/** Options of figures that show one of several. */
const options: Record<string, (data: ChartData, choice: Choice) => Iterable<string>> = {
  usage: (data, choice) => repetitionsOf(data, choice).keys(),
};

export function drawFigures(data: ChartData, choice: Choice): void {
  for (const figure of document.querySelectorAll<HTMLElement>('[data-draw]')) {
    const { draw = '', figure: name = '' } = figure.dataset;
    const [drawing, chart, optionsOf] = [figure.querySelector('.drawing'), charts[draw], options[draw]];
    if (!drawing || !chart) continue;
    const picked =
      optionsOf &&
      pick(figure, [...optionsOf(data, choice)], slowestRepetition(data, choice), () => drawFigures(data, choice));
    const panels = chart(data, choice, name, picked);
    const grid = document.createElement('div');
    grid.className = optionsOf ? 'plots stacked' : panels.length === 1 ? 'plots single' : 'plots';
    const empty = document.createElement('p');
    empty.textContent = 'Nothing to draw: no cell is chosen, or raw samples are missing.';
    drawing.replaceChildren(
      ...(panels.length === 0 ? [empty] : [legend(entriesOf(data, choice, panels, draw === 'rates')), grid]),
    );
    const places = panels.map(panelFor);
    grid.append(...places);
    for (const [at, place] of places.entries()) drawPanel(panels[at] as PanelChart, place);
    for (const tools of figure.querySelectorAll<HTMLElement>('.tools')) tools.hidden = panels.length === 0;
  }
}

interface LegendEntry {
  label: string;
  colour: string;
  /** Undefined for a chart without lines. */
  dash: string | undefined;
}

function entriesOf(data: ChartData, { cells }: Choice, panels: readonly PanelChart[], points: boolean): LegendEntry[] {
  const own = panels.flatMap((panel) => panel.legend ?? []);
  const ofCells = [...cells].flatMap((at) => data.cells[at] ?? []);
  const entries: LegendEntry[] =
    own.length > 0
      ? own
      : ofCells.map(({ label, colour }) => ({ label, colour, dash: points ? undefined : dashOf(data, label) }));
  return [...new Map(entries.map((entry) => [entry.label, entry])).values()];
}

function legend(entries: readonly LegendEntry[]): HTMLElement {
  const list = document.createElement('ul');
  list.className = 'legend';
  for (const { label, colour, dash } of entries) {
    const item = document.createElement('li');
    item.append(sample(colour, dash), label);
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
