/**
 * One panel of a figure: a plot, with the value under the pointer as a tip and as text. Arrow keys read the same
 * values: left and right along a line, up and down between lines.
 */
import {
  type AxisXOptions,
  type AxisYOptions,
  axisX,
  axisY,
  type Markish,
  plot,
  pointer,
  type ScaleOptions,
  tip,
} from '@observablehq/plot';
import { link } from './crosshair.ts';

/** A point with a text for the tip and the readout. */
export interface Point {
  x: number;
  y: number;
  /** Name of the point's line. */
  line: string;
  /** Text of the tip and the readout; its first line is the name. */
  text: string;
}

export interface PanelChart {
  title: string;
  /** Description for screen readers. */
  description: string;
  /** A function of the width of the panel in pixels, if its ticks depend on it. */
  x: ScaleOptions | ((width: number) => ScaleOptions);
  y: ScaleOptions;
  marks: Markish[];
  /** Lines of the panel; default: those of the chosen cells. */
  legend?: { label: string; colour: string; dash: string }[];
  /** Ordered by line, then along the line. */
  points: Point[];
  /** In pixels; default: 250. */
  height?: number;
  /** Name of the time axis that the panel shares with others: a pointer in one of them marks the time in all. */
  timeAxis?: string;
  /** Readout for a time that is marked from another panel; default: none. */
  textAt?: (seconds: number) => string;
}

const usualHeight = 250;
const minWidth = 260;
/** Room for seven digits in a wide font. */
const tickRoom = 64;
const rightRoom = 24;
/** Width in pixels of a panel that is not part of its axis. */
export const sideRoom = tickRoom + rightRoom;

/** Creates an empty panel. Its width is known only after all panels are in the page. */
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
  const { timeAxis, textAt } = chart;
  if (timeAxis === undefined) return;
  link(timeAxis, svg, (seconds) => {
    if (textAt) readout.textContent = seconds === undefined ? hint : textAt(seconds);
  });
}

const hint = '\u00a0';

type Plot = ReturnType<typeof plot>;

function drawn({ x, y, marks, points, description, title, height = usualHeight }: PanelChart, space: number): Plot {
  const width = Math.max(minWidth, space);
  const scales = { x: typeof x === 'function' ? x(width) : x, y };
  const drawing = plot({
    width,
    height,
    marginLeft: tickRoom,
    marginRight: rightRoom,
    marginBottom: 38,
    marginTop: 22,
    style: { fontSize: '12px' },
    ariaLabel: `${description}${title && `, ${title}`}`,
    x: { ...scales.x },
    y: { grid: true, ...scales.y },
    marks: [
      ...labelled(axisX, scales.x),
      ...labelled(axisY, scales.y),
      ...marks,
      tip(points, pointer({ x: 'x', y: 'y', title: 'text', fontSize: 12, maxRadius: 60 })),
    ],
  });
  drawing.setAttribute('role', 'img');
  // The page's policy allows only the page's own style sheet, which contains these rules.
  drawing.querySelector('style')?.remove();
  nameMarks(drawing);
  // Plot creates a new group for each tip.
  drawing.addEventListener('input', () => nameMarks(drawing));
  return drawing;
}

/** Plot leaves out labels of a logarithmic axis of more than two decades. Its own axis has the labels of all ticks. */
function labelled(
  axis: (options: AxisXOptions & AxisYOptions) => Markish,
  { type, ticks, tickFormat, labelArrow }: ScaleOptions,
): Markish[] {
  if (type !== 'log' || typeof tickFormat !== 'function' || ticks === undefined) return [];
  return [axis({ ticks, text: tickFormat, ...(labelArrow !== undefined && { labelArrow }) })];
}

/** Moves group labels to `data-mark`: groups inside an image have no role that allows a label. */
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

/** Simulates a pointer at the point. Keys and pointer thus show the same tip and readout. */
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
