/** The calibration of the page, and what is said of it. */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { PageState, Store } from './store.ts';

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

/** A remark without the folders that were searched for a calibration: an export leaves this machine. */
export function withoutFolders(remark: string): string {
  return remark.replace(/: searched .*?(?=, found only |\.$)/, '');
}
