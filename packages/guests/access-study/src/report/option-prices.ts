/** The price of each option: a cell compared with the same cell without it, such as ZSTD with no compression. */
import { cellKey, describeLevel } from '@topo-bench/core';
import { optionDefaults } from '../settings.ts';
import type { AccessCell } from './access-cells.ts';
import { type LayerPrice, priceOf } from './layers.ts';

/** One for every cell and option whose level is not the default; `layer` is the option with its level. */
export function optionPrices(cells: readonly AccessCell[]): LayerPrice[] {
  return cells.flatMap((cell) =>
    Object.keys(cell.levels).flatMap((name) => {
      const option = name.replace(/^access\./, '');
      if (!(option in optionDefaults)) return [];
      const byDefault = optionDefaults[option as keyof typeof optionDefaults];
      const key = cellKey({ ...cell.levels, [name]: byDefault });
      const baseline = cells.find((other) => other !== cell && cellKey(other.levels) === key);
      return baseline ? [priceOf(baseline, cell, describeLevel(option, cell.levels[name] ?? ''))] : [];
    }),
  );
}
