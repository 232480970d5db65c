/**
 * Calibrates this machine for the page. It measures as `calibrate --quick` does, and fits proofs in full. Files are
 * written where `simulate` finds them.
 */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import { calibrateMachine, calibrateWith } from '@topo-bench/workbench/calibration';
import { type Calibrator, type Following, runProgress } from '@topo-bench/workshop';
import { keepCalibration, priorCalibration } from '../../calibration-files.ts';
import { settingOf } from '../../measuring.ts';
import { findFile } from '../../shipped-files.ts';

export async function calibratorHere(): Promise<Calibrator> {
  const prior = await priorCalibration();
  const setting = settingOf({});
  const kept = async (calibration: Calibration) => ({ calibration, file: await keepCalibration(calibration) });
  const following = ({ emit, signal }: Following) => ({
    ...{ prior, signal },
    onProgress: (text: string) => emit({ kind: 'progress', text }),
  });
  return {
    measure: async (given) =>
      kept(
        await calibrateMachine({
          ...{ ...setting, ...following(given), quick: true, keepDisturbed: false, onEvent: runProgress(given.emit) },
          folder: defaultRunFolder('calibration', new Date()),
          topology: await findFile('topologies', 'routing-study'),
        }),
      ),
    fit: async (calibration, folders, given) =>
      kept(await calibrateWith(calibration, folders, { ...following(given), quick: false, version: setting.version })),
  };
}
