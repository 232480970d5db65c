/** How sure a simulated figure is, in few words. */
import { counted } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Store } from './store.ts';

type Known = Pick<Calibration, 'name' | 'assumed' | 'fit'>;

export function errorText({ assumed, fit }: Omit<Known, 'name'>): string {
  if (assumed) return 'assumed, error unknown';
  const missed = fit?.heldOutErrors.medianPercent;
  return missed === undefined ? 'error not stated' : `missed the median of held-out cells by ${missed.toFixed(0)}%`;
}

/** From now on the figures of the page follow from it. */
export function useCalibration(store: Store, { calibration }: { calibration: Calibration }): void {
  store.start.remarks = [];
  store.set({ calibration });
}

/** `simulated`, with the error of its calibration. */
export function simulatedMark(calibration: Known): string {
  const fitted = calibration.fit ? `, fitted to ${counted(calibration.fit.cells.length, 'cell')}` : '';
  return `simulated · ${calibration.name}${fitted}: ${errorText(calibration)}`;
}

/** A remark without the folders that were searched for a calibration: an export leaves this machine. */
export function withoutFolders(remark: string): string {
  return remark.replace(/: searched .*?(?=, found only |\.$)/, '');
}
