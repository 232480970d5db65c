/** Which repetitions something other than what is measured has disturbed, and nothing else is wrong with: they may be measured again. */
import type { Validity } from '@topo-bench/core/schema/result';

/** Requests left late, or other programs had the processors. */
export function isDisturbed({ valid, onlyLate, flags }: Validity): boolean {
  return onlyLate === true || (valid && flags.includes('foreign-load'));
}
