/** Calibrations of this machine, as the page starts them: measured anew, or fitted again with a proved cell. */
import { TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { type Following, failureOf } from './jobs.ts';

interface Kept {
  calibration: Calibration;
  file: string;
}

export interface Calibrator {
  /** Measures the quick design. @throws TopoBenchError `TB_CALIBRATION_DISTURBED` on a busy machine */
  measure(following: Following): Promise<Kept>;
  /**
   * Fits the runs of a calibration again, with those of more folders.
   * @throws TopoBenchError `TB_CALIBRATION_LACKS` where runs are gone, or too few
   */
  fit(calibration: Calibration, folders: readonly string[], following: Following): Promise<Kept>;
}

/**
 * Emits the calibration with the proved cells, or why they are not part of it.
 * @param proved run folders
 * @returns the calibration to use from now on
 */
export async function addProof(
  calibration: Calibration,
  proved: readonly string[],
  calibrator: Calibrator,
  following: Following,
): Promise<Calibration> {
  if (!calibration.fit) {
    const [message, hint] = ['nothing is calibrated here', 'use “Calibrate this machine”, then prove it again'];
    following.emit({ kind: 'not-added', message, hint });
    return calibration;
  }
  try {
    const kept = await calibrator.fit(calibration, proved, following);
    following.emit({ kind: 'calibrated', ...kept });
    return kept.calibration;
  } catch (error) {
    if (following.signal.aborted || !(error instanceof TopoBenchError)) throw error;
    following.emit({ kind: 'not-added', ...failureOf(error) });
    return calibration;
  }
}
