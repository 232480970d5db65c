/** One crosshair for all panels with the same time axis, in whichever figure they are. */
import type { plot } from '@observablehq/plot';

type Plot = ReturnType<typeof plot>;

interface LinkedPanel {
  timeAxis: string;
  svg: Plot;
  line: SVGLineElement;
  /** Called for times that are marked from another panel; undefined: none is marked. */
  onTime: (seconds: number | undefined) => void;
}

const panels = new Set<LinkedPanel>();

/** The panel follows the pointer in all panels of the axis until its drawing leaves the page. */
export function link(timeAxis: string, svg: Plot, onTime: LinkedPanel['onTime']): void {
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  line.setAttribute('class', 'crosshair');
  const own: LinkedPanel = { timeAxis, svg, line, onTime };
  panels.add(own);
  // Keys move the pointer too.
  svg.addEventListener('pointermove', (event) => mark(own, secondsAt(svg, event as PointerEvent)));
  svg.addEventListener('pointerleave', () => mark(own, undefined));
}

function secondsAt(svg: Plot, { clientX }: PointerEvent): number | undefined {
  const { left, width } = svg.getBoundingClientRect();
  const at = ((clientX - left) / width) * Number(svg.getAttribute('width'));
  const scale = svg.scale('x');
  const [first = 0, last = 0] = (scale?.range ?? []) as number[];
  return at < first || at > last ? undefined : scale?.invert?.(at);
}

function mark(source: LinkedPanel, seconds: number | undefined): void {
  for (const panel of panels) {
    if (!panel.svg.isConnected) panels.delete(panel);
    else if (panel.timeAxis === source.timeAxis) {
      draw(panel, seconds);
      if (panel !== source) panel.onTime(seconds);
    }
  }
}

function draw({ svg, line }: LinkedPanel, seconds: number | undefined): void {
  if (seconds === undefined) {
    line.remove();
    return;
  }
  const [x, y] = [svg.scale('x'), svg.scale('y')];
  const [bottom, top] = (y?.range ?? []) as number[];
  for (const name of ['x1', 'x2']) line.setAttribute(name, String(x?.apply(seconds)));
  line.setAttribute('y1', String(top));
  line.setAttribute('y2', String(bottom));
  svg.append(line);
}
