/** Flags of repetitions as text, with the share of processor time where other programs or guests used it. */
import type { Cell, ResourceUse } from '@topo-bench/core/schema/result';

const shares: Readonly<Record<string, (host: ResourceUse) => number | undefined>> = {
  'foreign-load': ({ foreignPercent }) => foreignPercent,
  stolen: ({ stolenPercent }) => stolenPercent,
};

/** `foreign-load (34% of the processors)`. Each flag occurs once, with the max share over the repetitions. */
export function flagTexts(cells: readonly Pick<Cell, 'validity' | 'resources'>[]): string[] {
  const flags = [...new Set(cells.flatMap(({ validity }) => validity.flags))];
  return flags.map((flag) => {
    const share = largestShare(flag, cells);
    return share === undefined ? flag : `${flag} (${cells.length > 1 ? 'up to ' : ''}${share} of the processors)`;
  });
}

/** Max share over the repetitions with a flag, as `34%`; undefined for flags without a share. */
export function largestShare(flag: string, cells: readonly Pick<Cell, 'validity' | 'resources'>[]): string | undefined {
  const found = cells
    .filter(({ validity }) => validity.flags.includes(flag))
    .flatMap(({ resources }) => shares[flag]?.(resources.host ?? {}) ?? []);
  return found.length === 0 ? undefined : `${Number(Math.max(...found).toPrecision(2))}%`;
}
