/**
 * Flags of repetitions as text: with the share of processor time that other programs or guests used, and of the periods
 * in which a limit stopped a role.
 */
import type { Cell, ResourceUse } from '@topo-bench/core/schema/result';

const shares: Readonly<Record<string, (host: ResourceUse) => number | undefined>> = {
  'foreign-load': ({ foreignPercent }) => foreignPercent,
  stolen: ({ stolenPercent }) => stolenPercent,
};

/** `foreign-load (34% of the processors)`. Each flag occurs once, with the max share over the repetitions. */
export function flagTexts(cells: readonly Pick<Cell, 'validity' | 'resources'>[]): string[] {
  const flags = [...new Set(cells.flatMap(({ validity }) => validity.flags))];
  return flags.map((flag) => {
    if (flag === throttledFlag) return `${flag}${throttledText(cells)}`;
    const share = largestShare(flag, cells);
    return share === undefined ? flag : `${flag} (${cells.length > 1 ? 'up to ' : ''}${share} of the processors)`;
  });
}

const throttledFlag = 'cpu-throttled';

/** A user-supplied service takes calls that bypass enforcement. */
export const openServiceFlag = 'open-service';

/** `pricing answers calls without a token`, one sentence for each service, without a full stop. */
export function openServiceTexts(cells: readonly Pick<Cell, 'deployment'>[]): string[] {
  const open = cells.flatMap(({ deployment }) => deployment?.openServices ?? []);
  return [...new Set(open.map(({ service, takes }) => `${service} answers calls ${takes}`))];
}

/** ` (service in up to 12% of the periods of its limit)`: the role with the largest share. Empty for unknown ones. */
export function throttledText(cells: readonly Pick<Cell, 'resources'>[]): string {
  const shares = cells.flatMap(({ resources }) =>
    Object.entries(resources).flatMap(([role, { quotaPeriods, throttledPeriods }]) =>
      quotaPeriods && throttledPeriods ? [{ role, percent: (100 * throttledPeriods) / quotaPeriods }] : [],
    ),
  );
  const [largest] = shares.sort((a, b) => b.percent - a.percent);
  if (!largest) return '';
  const share = `${Number(largest.percent.toPrecision(2))}%`;
  return ` (${largest.role} in ${cells.length > 1 ? 'up to ' : ''}${share} of the periods of its limit)`;
}

/** Max share over the repetitions with a flag, as `34%`; undefined for flags without a share. */
export function largestShare(flag: string, cells: readonly Pick<Cell, 'validity' | 'resources'>[]): string | undefined {
  const found = cells
    .filter(({ validity }) => validity.flags.includes(flag))
    .flatMap(({ resources }) => shares[flag]?.(resources.host ?? {}) ?? []);
  return found.length === 0 ? undefined : `${Number(Math.max(...found).toPrecision(2))}%`;
}
