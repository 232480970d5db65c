/** Measures this machine while other programs leave it alone, and fits the measurement; or fits more runs to it. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { cellKey, TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { maxForeignPercent } from '@topo-bench/routing/calibration';
import { type CalibrateOptions, calibrateRuns } from './calibrate-runs.ts';
import { type MeasureDesignOptions, measureDesign } from './measure-design.ts';
import { quietMachine } from './quiet-machine.ts';

export interface CalibrateMachineOptions extends MeasureDesignOptions, Pick<CalibrateOptions, 'prior'> {
  /** Whether a calibration that other programs disturbed is kept, marked. */
  keepDisturbed: boolean;
}

/** At most so long before a measurement, in seconds. */
const waits = { full: 60, quick: 20 };

/** @throws TopoBenchError `TB_CALIBRATION_DISTURBED`; as `measureDesign` and `calibrateRuns` */
export async function calibrateMachine(options: CalibrateMachineOptions): Promise<Calibration> {
  const { folder, quick, keepDisturbed, onProgress, signal } = options;
  const maxSeconds = quick ? waits.quick : waits.full;
  const { foreignPercent = 0, waitedSeconds } = await quietMachine({
    ...{ maxForeignPercent, maxSeconds, signal },
    onWait: (percent) =>
      onProgress(`other programs use ${Math.round(percent)}% of the processors: waiting up to ${maxSeconds} s`),
  });
  const used = `${Math.round(foreignPercent)}% of the processors`;
  onProgress(`other programs use ${used}, after ${waitedSeconds} s of waiting`);
  if (foreignPercent > maxForeignPercent && !keepDisturbed) {
    throw disturbedError(`${used} after ${waitedSeconds} s of waiting`);
  }
  const { folders, heldOut } = await measureDesign(options);
  return calibrateRuns({
    ...options,
    folders,
    isHeldOut: (_, of) => heldOut.includes(of),
    onDisturbed(percent) {
      if (!keepDisturbed) throw disturbedError(cellText(percent), `topo-bench calibrate --resume ${folder}`);
    },
  });
}

/**
 * Fits the runs of a calibration again, together with more. Cells that its fit did not see stay held out.
 * @param more run folders
 * @throws TopoBenchError `TB_CALIBRATION_LACKS` where its runs are gone; as `calibrateRuns`
 */
export async function calibrateWith(
  { name, fit }: Calibration,
  more: readonly string[],
  options: Omit<CalibrateOptions, 'folders' | 'isHeldOut' | 'onDisturbed'>,
): Promise<Calibration> {
  const { runs: stated = [], cells = [], quietness } = fit ?? {};
  requirePresent(name, stated);
  const [runs, added] = [stated, more].map((paths) => paths.map((path) => resolve(path))) as [string[], string[]];
  const heldOutLevels = cells.filter((cell) => cell.heldOut).map(({ factors }) => factors);
  const heldOut = new Set(heldOutLevels.map(cellKey));
  const folders = [...new Set([...runs, ...added])];
  return calibrateRuns({
    ...options,
    ...{ folders, added },
    isHeldOut: (levels, folder) => runs.includes(folder) && heldOut.has(cellKey(levels)),
    onDisturbed(percent) {
      // It was kept so, and all that follows from it has that mark.
      if (quietness?.disturbed) return;
      const again = ['topo-bench calibrate', ...folders, ...heldOutFlags(heldOutLevels)].join(' ');
      throw disturbedError(cellText(percent), again);
    },
  });
}

function requirePresent(name: string, runs: readonly string[]): void {
  const gone = runs.filter((folder) => !existsSync(join(folder, 'run.json')));
  if (gone.length === 0) return;
  // Older versions wrote the last part of the path.
  const isOld = gone.some((folder) => basename(folder) === folder);
  const why = isOld ? `${name} was written by an older version: it does not state where its runs are` : undefined;
  throw new TopoBenchError('TB_CALIBRATION_LACKS', why ?? `the runs of ${name} are gone: got no ${gone.join(', ')}`, {
    hint: 'calibrate again, and keep its run folders',
  });
}

/** For `calibrate`: levels by factor. */
function heldOutFlags(cells: readonly FactorLevels[]): string[] {
  const factors = [...new Set(cells.flatMap((levels) => Object.keys(levels)))];
  const levelsOf = (factor: string) => [...new Set(cells.map((levels) => String(levels[factor])))];
  return factors.map((factor) => `--held-out ${factor}=${levelsOf(factor).join(',')}`);
}

export function cellText(percent: number): string {
  return `up to ${Math.round(percent)}% of the processors during a cell`;
}

/** @param again command that fits what was measured */
export function disturbedError(how: string, again?: string): TopoBenchError {
  const kept = again === undefined ? 'measure all the same, marked:' : `keep it, marked: ${again}`;
  return new TopoBenchError(
    'TB_CALIBRATION_DISTURBED',
    `other programs used ${how}: expected at most ${maxForeignPercent}%`,
    { hint: `free the machine and calibrate again, or ${kept} --keep-disturbed` },
  );
}
