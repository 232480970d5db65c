/** How sure a simulated figure is, in few words. */
import { counted } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { PageState, Store } from './store.ts';

type Known = Pick<Calibration, 'name' | 'assumed' | 'fit'>;

export function errorText({ assumed, fit }: Omit<Known, 'name'>): string {
  if (assumed) return 'assumed, error unknown';
  const missed = fit?.heldOutErrors.medianPercent;
  return missed === undefined ? 'error not stated' : `missed the median of held-out cells by ${missed.toFixed(0)}%`;
}

/** Whether the figures are for the machine that was calibrated: the error of others is unknown. */
export function isForCalibrated(state: Pick<PageState, 'calibration' | 'settings' | 'drawings'>): boolean {
  const { calibration, settings, drawings } = state;
  const isOne = settings.machines === 'one' || Object.values(drawings)[0]?.nodes.length === 1;
  return isOne && settings.cores === calibration.cores;
}

/** From now on the figures of the page follow from it. */
export function useCalibration(store: Store, { calibration }: { calibration: Calibration }): void {
  store.start.remarks = [];
  store.set({ calibration });
}

/** `simulated`, with the error of its calibration. @param isKnown whether it has an error on the asked machines */
export function simulatedMark(calibration: Known, isKnown: boolean): string {
  const { name, fit } = calibration;
  const fitted = fit ? `, fitted to ${counted(fit.cells.length, 'cell')}` : '';
  return `simulated · ${name}${fitted}: ${errorText(calibration)}${fit && !isKnown ? ' on one machine, unknown here' : ''}`;
}

/** A remark without the folders that were searched for a calibration: an export leaves this machine. */
export function withoutFolders(remark: string): string {
  return remark.replace(/: searched .*?(?=, found only |\.$)/, '');
}
