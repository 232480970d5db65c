/**
 * One panel of a figure: a plot, the value under the pointer as a tip and as text, and the same by arrow keys: left and
 * right along a line, up and down between lines.
 */
import { type Markish, plot, pointer, type ScaleOptions, tip } from '@observablehq/plot';

/** A point that can be read out. */
export interface Point {
  x: number;
  y: number;
  /** Line that it belongs to. */
  line: string;
  /** What it says. */
  text: string;
}

export interface PanelChart {
  title: string;
  /** What it shows, for screen readers. */
  description: string;
  x: ScaleOptions;
  y: ScaleOptions;
  marks: Markish[];
  /** In the order of lines, along each. */
  points: Point[];
}

const height = 250;

/** The panel, still empty: its width is known once it is in the page with all others. */
export function panelFor(chart: PanelChart): HTMLElement {
  const panel = document.createElement('div');
  panel.className = 'plot';
  panel.tabIndex = 0;
  panel.setAttribute('role', 'group');
  panel.setAttribute('aria-label', `${chart.description}${chart.title && `, ${chart.title}`}. Arrow keys read values.`);
  return panel;
}

export function drawPanel(chart: PanelChart, panel: HTMLElement): void {
  const title = document.createElement('p');
  title.className = 'plot-title';
  title.textContent = chart.title;
  const readout = document.createElement('output');
  readout.textContent = hint;
  const svg = drawn(chart, panel.clientWidth);
  panel.append(...(chart.title === '' ? [] : [title]), svg, readout);
  svg.addEventListener('input', () => {
    readout.textContent = (svg.value as Point | null | undefined)?.text.replace('\n', ': ') ?? hint;
  });
  readByKeys(panel, svg, chart.points);
}

const hint = '\u00a0';

type Plot = ReturnType<typeof plot>;

function drawn({ x, y, marks, points, description, title }: PanelChart, width: number): Plot {
  const drawing = plot({
    width: Math.max(260, width),
    height,
    marginLeft: 52,
    marginRight: 14,
    marginBottom: 38,
    marginTop: 22,
    style: { fontSize: '12px' },
    ariaLabel: `${description}${title && `, ${title}`}`,
    x: { ...x },
    y: { grid: true, ...y },
    marks: [...marks, tip(points, pointer({ x: 'x', y: 'y', title: 'text', fontSize: 12, maxRadius: 60 }))],
  });
  drawing.setAttribute('role', 'img');
  // The page's policy allows its own style sheet alone, which has these rules.
  drawing.querySelector('style')?.remove();
  nameMarks(drawing);
  // A tip is a new group each time.
  drawing.addEventListener('input', () => nameMarks(drawing));
  return drawing;
}

/** Groups inside an image have no role that could carry a label: kept as data. */
function nameMarks(drawing: Plot): void {
  for (const group of drawing.querySelectorAll<SVGGElement>('g[aria-label]')) {
    group.dataset.mark = group.getAttribute('aria-label') ?? '';
    group.removeAttribute('aria-label');
  }
}

function readByKeys(panel: HTMLElement, svg: Plot, points: readonly Point[]): void {
  const lines = [...Map.groupBy(points, ({ line }) => line).values()];
  let [line, place] = [0, -1];
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return leave(svg);
    const moves: Record<string, [number, number]> = {
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
    };
    const move = moves[event.key];
    if (!move || lines.length === 0) return;
    event.preventDefault();
    line = (line + move[0] + lines.length) % lines.length;
    const along = lines[line] ?? [];
    place = Math.max(0, Math.min(along.length - 1, place + move[1]));
    const point = along[place];
    if (point) pointAt(svg, point);
  });
  panel.addEventListener('blur', () => leave(svg));
}

/** As if the pointer were there: what it shows and says is the same. */
function pointAt(svg: Plot, { x, y }: Point): void {
  const [px, py] = [svg.scale('x')?.apply(x), svg.scale('y')?.apply(y)];
  const { left, top, width } = svg.getBoundingClientRect();
  const scale = width / Number(svg.getAttribute('width'));
  const at = { clientX: left + px * scale, clientY: top + py * scale, pointerType: 'mouse', bubbles: true };
  svg.dispatchEvent(new PointerEvent('pointermove', at));
}

function leave(svg: Plot): void {
  svg.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }));
}
