/** The drawing of a topology under one architecture, as SVG. Services can be selected, dragged and moved by keys. */
import type { Drawing, DrawnService } from '@topo-bench/core/drawing';
import { svg } from '../element.ts';
import { type Box, type Layout, layoutOf, maxDrawn, middleOf } from './layout.ts';

export interface DiagramOptions {
  isSmall: boolean;
  /** Absent: services can only be read. */
  editing?: Editing;
}

export interface Editing {
  selected: string | undefined;
  onSelect(service: string): void;
  onMove(service: string, node: string): void;
  onDelete(service: string): void;
}

export interface Diagram {
  element: SVGSVGElement;
  layout: Layout;
}

const kindNames: Record<string, string> = {
  gateway: 'gateway',
  'central-entity': 'central entity',
  router: 'router',
  sidecar: 'sidecar',
};

export function drawDiagram(drawing: Drawing, options: DiagramOptions): Diagram {
  const layout = layoutOf(drawing, options.isSmall);
  const { width, height } = layout;
  const title = `${drawing.name} with ${drawing.architecture}: ${drawing.services.length} services on ${drawing.nodes.length} nodes`;
  const element = svg('svg', {
    ...{ class: 'diagram', role: 'group', 'aria-label': title, viewBox: `0 0 ${width} ${height}`, width, height },
  });
  element.append(
    svg('defs', {}, arrowHead()),
    ...layout.regions.map(({ name, ...box }) => group('region', box, 14, name, 8)),
    ...layout.lanes.map((lane) => laneGroup(lane, drawing.services.length > maxDrawn)),
    svg('g', { class: 'edges' }, ...edgesOf(drawing, layout)),
    svg('g', { class: 'travel' }),
    ...drawing.services.flatMap((service) => serviceGroup(service, drawing, layout, options)),
    ...drawing.roles.flatMap(({ name, kind, decidesFor }) => roleGroup(name, kind, decidesFor, layout)),
    svg('g', { class: 'travel-top' }),
  );
  if (options.editing) dragServices(element, layout, drawing, options.editing);
  return { element, layout };
}

function arrowHead(): SVGElement {
  const shape = { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' };
  return svg('marker', shape, svg('path', { d: 'M0 0 8 4 0 8Z', class: 'arrow' }));
}

function group(
  className: string,
  { x, y, width, height }: Box,
  radius: number,
  name: string,
  inset: number,
): SVGElement {
  return svg(
    'g',
    { class: className },
    svg('rect', { x, y, width, height, rx: radius }),
    svg('text', { x: x + inset, y: y + 16 }, name),
  );
}

function laneGroup(lane: Layout['lanes'][number], isCounted: boolean): SVGElement {
  const { name, node, services, ...box } = lane;
  const drawn = group('lane', box, 8, name, 10);
  drawn.setAttribute('data-node', String(node));
  if (isCounted) {
    const { x, y } = middleOf(box);
    drawn.append(
      svg('text', { class: 'count', x, y: y + 14, 'text-anchor': 'middle' }, String(services)),
      svg('text', { class: 'counted', x, y: y + 32, 'text-anchor': 'middle' }, 'services'),
    );
  }
  return drawn;
}

function edgesOf({ services, edges }: Drawing, { services: boxes, roles }: Layout): SVGElement[] {
  return edges.flatMap(({ from, to, parallel }) => {
    const start = from < 0 ? roles.get('gateway') : boxes.get(services[from]?.name ?? '');
    const end = boxes.get(services[to]?.name ?? '');
    return start && end
      ? [svg('path', { d: pathBetween(start, end), class: parallel ? 'edge parallel' : 'edge' })]
      : [];
  });
}

/** From the lower side of a box to the upper side of one below; around the boxes between them. */
function pathBetween(from: Box, to: Box): string {
  const [a, b] = [middleOf(from), middleOf(to)];
  const [y1, y2] = [from.y + from.height, to.y - 1];
  if (Math.abs(a.x - b.x) < 4) return `M${a.x} ${y1}V${y2}`;
  const bend = Math.min(26, Math.max(8, (y2 - y1) / 2));
  return `M${a.x} ${y1}C${a.x} ${y1 + bend} ${b.x} ${y2 - bend} ${b.x} ${y2}`;
}

function serviceGroup(
  { name, node, row, alternative, tags, decidedBy }: DrawnService,
  { nodes, architecture }: Drawing,
  { services }: Layout,
  { editing }: DiagramOptions,
): SVGElement[] {
  const box = services.get(name);
  if (!box) return [];
  const place = nodes[node]?.name ?? '';
  // A sidecar covers the left end.
  const inset = architecture === 'sidecar' ? 10 : 0;
  const step = alternative ? 'alternative' : `step ${row + 1}`;
  const decided = decidedBy === name ? '' : `, decided by ${decidedBy}`;
  const label = `${name} on ${place}, ${step}${decided}${tags.length > 0 ? `, tags ${tags.join(' ')}` : ''}`;
  const found = svg(
    'g',
    {
      ...{ class: `service${alternative ? ' alternative' : ''}`, 'data-service': name },
      ...(editing && { 'aria-label': label, ...buttonOf(name, node, nodes, editing) }),
    },
    svg('rect', { ...box, rx: 6 }),
    nameIn({ ...box, x: box.x + inset, width: box.width - inset }, name),
    svg('title', {}, label),
  );
  return [found];
}

function buttonOf(
  name: string,
  node: number,
  nodes: Drawing['nodes'],
  { selected, onSelect, onMove, onDelete }: Editing,
) {
  return {
    ...{ role: 'button', tabindex: 0, 'aria-pressed': String(selected === name) },
    onclick: () => onSelect(name),
    onkeydown: (event: KeyboardEvent) => {
      const beside = nodes[node + (event.key === 'ArrowRight' ? 1 : -1)]?.name;
      if (event.key === 'Enter' || event.key === ' ') onSelect(name);
      else if (event.key === 'Delete') onDelete(name);
      else if (event.shiftKey && /^Arrow(Left|Right)$/.test(event.key) && beside !== undefined) onMove(name, beside);
      else if (/^Arrow(Up|Down)$/.test(event.key)) focusBeside(event);
      else return;
      event.preventDefault();
    },
  };
}

function focusBeside({ key, currentTarget }: KeyboardEvent): void {
  const all = [...document.querySelectorAll<SVGGElement>('.diagram .service')];
  const at = all.indexOf(currentTarget as SVGGElement) + (key === 'ArrowDown' ? 1 : -1);
  all[at]?.focus();
}

function roleGroup(name: string, kind: string, decidesFor: readonly string[], { roles }: Layout): SVGElement[] {
  const box = roles.get(name);
  if (!box) return [];
  const { x, y } = middleOf(box);
  const about = decidesFor.length === 0 ? '' : `: decides for ${decidesFor.slice(0, 12).join(', ')}`;
  const text = kind === 'sidecar' ? 'S' : shortened(name, Math.floor((box.width - 12) / 6.7));
  return [
    svg(
      'g',
      { class: `role ${kind}`, 'data-role': name },
      svg('rect', { ...box, rx: kind === 'sidecar' ? 9 : 13 }),
      svg('text', { x, y: y + 4, 'text-anchor': 'middle' }, text),
      svg('title', {}, `${kindNames[kind] ?? kind} ${name}${about}`),
    ),
  ];
}

/** A name on one line, or on two where it is long. */
function nameIn({ x, y, width }: Box, name: string): SVGElement {
  const middle = x + width / 2;
  const max = Math.floor((width - 10) / 6.9);
  const line = (text: string, dy: number): SVGElement => svg('tspan', { x: middle, y: y + dy }, text);
  if (name.length <= max) return svg('text', { 'text-anchor': 'middle' }, line(name, 19.5));
  const small = Math.floor((width - 8) / 6);
  const ends = [...name.matchAll(/[-._]/g)].map(({ index }) => index + 1).filter((end) => end <= small);
  const end = ends.at(-1) ?? small;
  const lines = [line(name.slice(0, end), 12.5), line(shortened(name.slice(end), small), 24.5)];
  return svg('text', { 'text-anchor': 'middle', class: 'small' }, ...lines);
}

function shortened(name: string, max: number): string {
  return name.length <= max ? name : `${name.slice(0, max - 1)}…`;
}

/** Pointers drag a service to the lane of another node. */
function dragServices(
  element: SVGSVGElement,
  { lanes }: Layout,
  { nodes, services }: Drawing,
  { onMove }: Editing,
): void {
  element.addEventListener('pointerdown', (down) => {
    const dragged = (down.target as Element).closest<SVGGElement>('.service');
    if (!dragged || down.button !== 0) return;
    const name = dragged.dataset.service ?? '';
    const { node: from } = services.find((service) => service.name === name) ?? {};
    const scale = element.viewBox.baseVal.width / element.getBoundingClientRect().width;
    let over: number | undefined;
    const move = (event: PointerEvent): void => {
      const [dx, dy] = [(event.clientX - down.clientX) * scale, (event.clientY - down.clientY) * scale];
      if (Math.hypot(dx, dy) < 4 && over === undefined) return;
      dragged.classList.add('dragged');
      dragged.setAttribute('transform', `translate(${dx} ${dy})`);
      const x = (event.clientX - element.getBoundingClientRect().left) * scale;
      over = lanes.find((lane) => x >= lane.x && x <= lane.x + lane.width)?.node ?? from;
      for (const lane of element.querySelectorAll<SVGGElement>('.lane'))
        lane.classList.toggle('target', Number(lane.dataset.node) === over && over !== from);
    };
    const up = (): void => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', up);
      dragged.classList.remove('dragged');
      dragged.removeAttribute('transform');
      for (const lane of element.querySelectorAll('.lane')) lane.classList.remove('target');
      const target = over === undefined ? undefined : nodes[over]?.name;
      if (target !== undefined && over !== from) onMove(name, target);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', up);
  });
}
