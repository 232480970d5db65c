/** The price of each layer: a variant compared with the nearest one that lacks the layer, all else equal. */
import { cellKey } from '@topo-bench/core';
import type { Estimate } from '@topo-bench/stats';
import { differenceOf, ratioOf } from '@topo-bench/study-kit/repetition-effect';
import type { AccessVariant } from '../settings-schema.ts';
import type { AccessCell } from './access-cells.ts';
import { hasFactor } from './option-groups.ts';

/** What a variant adds to others that lack it: the nearest of them first. Equal names are one layer in a sentence. */
const layers: Readonly<Partial<Record<AccessVariant, Readonly<Partial<Record<AccessVariant, string>>>>>> = {
  'connector-process': { native: 'connector and JSON lines' },
  'connector-container': { 'connector-process': 'container', native: 'connector in a container' },
  'connector-pod': {
    'connector-container': 'pod instead of a container',
    'connector-process': 'pod',
    native: 'connector in a pod',
  },
  'flight-process': { 'connector-process': 'Flight server', native: 'connector and Flight server' },
  'flight-container': {
    'connector-container': 'Flight server in a container',
    'flight-process': 'containers',
    native: 'connector and Flight server in containers',
  },
  'flight-pod': {
    'connector-pod': 'Flight server in a pod',
    'flight-container': 'pods instead of containers',
    'flight-process': 'pods',
    native: 'connector and Flight server in pods',
  },
  columnar: { native: 'columns instead of rows' },
  'columnar-process': { columnar: 'columns over Flight' },
  'columnar-container': { 'columnar-process': 'container (columns)', columnar: 'columns over Flight from a container' },
  'columnar-pod': {
    'columnar-container': 'pod instead of a container (columns)',
    'columnar-process': 'pod (columns)',
    columnar: 'columns over Flight from a pod',
  },
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
    const added = Object.entries(layers[cell.variant as AccessVariant] ?? {});
    for (const [variant, layer] of added) {
      const baseline = cells.find((other) => other.variant === variant && alike(other, cell));
      if (baseline && baseline.durations.size > 0) return [priceOf(baseline, cell, layer)];
    }
    return [];
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
