/** The drawn topology of a report: one architecture at a time, and one request on its way through it. */
import type { ChartData } from '../html/chart-data.ts';
import { drawDiagram } from './diagram/draw.ts';
import { Travel } from './diagram/travel.ts';
import { h } from './element.ts';
import { pick } from './pick.ts';

let travel: Travel | undefined;

export function drawTopology(data: ChartData): void {
  const figure = document.querySelector<HTMLElement>('[data-draw=diagram]');
  const place = figure?.querySelector<HTMLElement>('.drawing');
  if (!figure || !place) return;
  const names = Object.keys(data.drawings);
  const enforcing = names.find((one) => data.drawings[one]?.roles.some(({ kind }) => kind !== 'gateway'));
  const name = pick(figure, names, enforcing, () => drawTopology(data));
  const drawing = data.drawings[name ?? ''];
  if (!drawing) return;
  travel?.stop();
  const diagram = drawDiagram(drawing, { isSmall: place.clientWidth < 480 });
  const said = h('p', { class: 'hop-text', role: 'status' });
  const current = new Travel(drawing, diagram, (text) => {
    said.textContent = text;
  });
  travel = current;
  const button = (text: string, act: () => void) => h('button', { type: 'button', onclick: act }, text);
  place.replaceChildren(
    h('div', { class: 'canvas', tabindex: 0, role: 'group', 'aria-label': `Topology with ${name}` }, diagram.element),
    h(
      'p',
      { class: 'travel-tools' },
      button('Send one request', () => current.play()),
      ' ',
      button('Next hop', () => current.step()),
    ),
    said,
  );
  for (const tools of figure.querySelectorAll<HTMLElement>('.tools')) tools.hidden = false;
}
