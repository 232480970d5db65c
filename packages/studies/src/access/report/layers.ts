/** The price of each layer: a variant compared with the nearest one that lacks the layer, all else equal. */
import { cellKey } from '@topo-bench/core';
import type { Access, AccessVariant } from '@topo-bench/core/schema/access';
import type { Estimate } from '@topo-bench/stats';
import { differenceOf, ratioOf } from '../../repetition-effect.ts';
import { hasOption } from '../variants.ts';
import type { AccessCell } from './access-cells.ts';

interface Layer {
  /** What the variant adds to its usual predecessor. */
  name: string;
  /** Variants without it, the nearest first. */
  without: readonly string[];
}

const layers: Readonly<Record<string, Layer>> = {
  'connector-process': { name: 'connector and JSON lines', without: ['native'] },
  'connector-process-sockets': {
    name: 'protobuf over a socket instead of JSON lines',
    without: ['connector-process', 'native'],
  },
  'connector-container': { name: 'container', without: ['connector-process', 'native'] },
  'connector-pod': { name: 'pod', without: ['connector-container', 'connector-process', 'native'] },
  'flight-process': { name: 'Flight server', without: ['connector-process', 'native'] },
  'flight-container': {
    name: 'Flight server in a container',
    without: ['connector-container', 'flight-process', 'native'],
  },
  'flight-pod': {
    name: 'Flight server in a pod',
    without: ['connector-pod', 'flight-container', 'flight-process', 'native'],
  },
  columnar: { name: 'columns instead of rows', without: ['native'] },
  'columnar-process': { name: 'Flight server', without: ['columnar'] },
  'columnar-container': { name: 'Flight server in a container', without: ['columnar-process', 'columnar'] },
  'columnar-pod': { name: 'Flight server in a pod', without: ['columnar-container', 'columnar-process', 'columnar'] },
};

export interface LayerPrice {
  cell: AccessCell;
  baseline: AccessCell;
  layer: string;
  /** Overall time in ms, candidate less baseline. */
  difference: Estimate;
  /** Rows per second, candidate to baseline. */
  ratio: Estimate;
}

/** One for every cell with such a predecessor. */
export function layerPrices(cells: readonly AccessCell[]): LayerPrice[] {
  return cells.flatMap((cell) => {
    const layer = layers[cell.variant];
    const baseline = layer?.without
      .map((variant) => cells.find((other) => other.variant === variant && alike(other, cell)))
      .find((found) => found && found.durations.size > 0);
    if (!layer || !baseline) return [];
    return [priceOf(baseline, cell, baseline.variant === layer.without[0] ? layer.name : `from ${baseline.variant}`)];
  });
}

export function priceOf(baseline: AccessCell, cell: AccessCell, layer: string): LayerPrice {
  return {
    cell,
    baseline,
    layer,
    difference: differenceOf(baseline.durations, cell.durations),
    ratio: ratioOf(baseline.rates, cell.rates),
  };
}

/** The same but for the variant, and for options that one of the two variants lacks. */
function alike(a: AccessCell, b: AccessCell): boolean {
  const isShared = (name: string): boolean => [a, b].every(({ variant }) => hasFactor(variant, name));
  const shared = ({ levels }: AccessCell): string =>
    cellKey(Object.fromEntries(Object.entries(levels).filter(([name]) => name !== 'variant' && isShared(name))));
  return shared(a) === shared(b);
}

function hasFactor(variant: string, name: string): boolean {
  return hasOption(variant as AccessVariant, name.replace(/^access\./, '') as keyof Access);
}
