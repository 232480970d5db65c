/** How sure a simulated figure is, in few words. */
import type { Calibration } from '@topo-bench/core/schema/calibration';

type Known = Pick<Calibration, 'name' | 'assumed' | 'fit'>;

export function errorText({ assumed, fit }: Omit<Known, 'name'>): string {
  if (assumed) return 'assumed, error unknown';
  const missed = fit?.heldOutErrors.medianPercent;
  return missed === undefined ? 'error not stated' : `missed the median of held-out cells by ${missed.toFixed(0)}%`;
}

/** `simulated`, with the error of its calibration. */
export function simulatedMark(calibration: Known): string {
  return `simulated · ${calibration.name}: ${errorText(calibration)}`;
}
