/** The mark of a simulated figure: what it follows from, and how sure it is, in few words. */
import { counted } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';

type Known = Pick<Calibration, 'name' | 'assumed' | 'fit'>;

/** `simulated`, with the error of its calibration. @param isKnown whether it has an error on the asked machines */
export function simulatedMark(calibration: Known, isKnown = true): string {
  const { name, fit } = calibration;
  const fitted = fit ? `, fitted to ${counted(fit.cells.length, 'cell')}` : '';
  return `simulated · ${name}${fitted}: ${errorText(calibration)}${fit && !isKnown ? ' on one machine, unknown here' : ''}`;
}

function errorText({ assumed, fit }: Omit<Known, 'name'>): string {
  if (assumed) return 'assumed, error unknown';
  const missed = fit?.heldOutErrors.medianPercent;
  return missed === undefined ? 'error not stated' : `missed the median of held-out cells by ${missed.toFixed(0)}%`;
}
