/**
 * Places of a drawing: a lane per node, lanes of a region side by side, and a row per step of the flow. Members of a
 * parallel group share a row. Enforcement points stand above the services of their node, sidecars at their service.
 */
import type { Drawing } from '@topo-bench/core/drawing';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  width: number;
  height: number;
  regions: (Box & { name: string })[];
  lanes: (Box & { name: string; node: number; services: number })[];
  /** By name; without those that are too many to draw. */
  services: Map<string, Box>;
  /** Gateway and enforcement points by name. */
  roles: Map<string, Box>;
}

/** More would be too small to read: lanes then show counts. */
export const maxDrawn = 120;

const [cellWidth, boxHeight, gap, pad] = [126, 30, 10, 12];
const [regionTitle, laneTitle, roleHeight] = [26, 26, 26];

export function layoutOf(drawing: Drawing, isSmall = false): Layout {
  const { nodes, services, roles } = drawing;
  const rowHeight = drawing.rows > 14 ? 40 : 48;
  const boxWidth = isSmall ? 92 : cellWidth;
  const isCounted = services.length > maxDrawn;
  const order = [...nodes.keys()].sort((a, b) => regionRank(nodes, a) - regionRank(nodes, b) || a - b);
  // Boxes that share a lane and a row stand side by side.
  const columns = nodes.map((_, node) => {
    const own = services.filter((service) => service.node === node);
    const inRow = Map.groupBy(own, ({ row }) => row);
    return isCounted ? 1 : Math.max(1, ...[...inRow.values()].map((row) => row.length));
  });
  const points = roles.filter(({ kind }) => kind !== 'sidecar');
  const maxPoints = Math.max(1, ...nodes.map((_, node) => points.filter((role) => role.node === node).length));
  const top = regionTitle + laneTitle + pad;
  const rowsTop = top + maxPoints * (roleHeight + 8) + 14;
  const rows = isCounted ? 2 : drawing.rows;
  const height = rowsTop + rows * rowHeight + pad;
  const layout: Layout = {
    width: 0,
    height: height + pad,
    regions: [],
    lanes: [],
    services: new Map(),
    roles: new Map(),
  };
  let x = pad;
  for (const [at, node] of order.entries()) {
    const { name, region } = nodes[node] as Drawing['nodes'][number];
    const before = order[at - 1];
    const isNewRegion = before === undefined || nodes[before]?.region !== region;
    if (isNewRegion && before !== undefined) x += pad;
    if (isNewRegion) layout.regions.push({ name: region, x: x - 6, y: 6, width: 0, height: height - 6 });
    const laneColumns = columns[node] as number;
    const width = laneColumns * (boxWidth + gap) + 2 * pad - gap;
    const own = services.filter((service) => service.node === node);
    layout.lanes.push({
      name,
      node,
      x,
      y: regionTitle + 6,
      width,
      height: height - regionTitle - 12,
      services: own.length,
    });
    for (const [row, role] of points.filter((point) => point.node === node).entries()) {
      const roleWidth = Math.min(width - 2 * pad, 150);
      const y = top + row * (roleHeight + 8);
      layout.roles.set(role.name, { x: x + (width - roleWidth) / 2, y, width: roleWidth, height: roleHeight });
    }
    for (const group of isCounted ? [] : Map.groupBy(own, ({ row }) => row).values()) {
      const used = group.length * (boxWidth + gap) - gap;
      for (const [column, service] of group.entries()) {
        const box = {
          x: x + (width - used) / 2 + column * (boxWidth + gap),
          y: rowsTop + service.row * rowHeight,
          width: boxWidth,
          height: boxHeight,
        };
        layout.services.set(service.name, box);
        const sidecar = roles.find(({ kind, name: role }) => kind === 'sidecar' && role === service.decidedBy);
        if (sidecar) layout.roles.set(sidecar.name, { x: box.x - 9, y: box.y + 6, width: 18, height: 18 });
      }
    }
    x += width;
    const current = layout.regions.at(-1);
    if (current) current.width = x - current.x + 6;
    x += gap;
  }
  layout.width = x - gap + pad;
  return layout;
}

function regionRank(nodes: Drawing['nodes'], node: number): number {
  return nodes.findIndex(({ region }) => region === nodes[node]?.region);
}

export function middleOf({ x, y, width, height }: Box): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}
