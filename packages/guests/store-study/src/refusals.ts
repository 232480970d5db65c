/** Compares the refusal of a call with the oracle. */
import { isDeepStrictEqual } from 'node:util';
import type { ItemEnforcement } from '@topo-bench/core';

/** @returns undefined for the right refusal of a call that has no body */
export function refusalFault(
  status: number,
  { decisions, exposureBytes }: ItemEnforcement,
  rule: string | undefined,
): string | undefined {
  const wanted = [{ effect: 'deny', ...(rule !== undefined && { rule }), count: 1 }];
  if (status !== 451 || !isDeepStrictEqual(decisions, wanted))
    return `a call was answered ${status} with ${JSON.stringify(decisions)} instead of being refused by ${rule ?? 'the default'}`;
  return isDeepStrictEqual(exposureBytes, {})
    ? undefined
    : `a refusal exposed ${JSON.stringify(exposureBytes)} instead of {}`;
}
