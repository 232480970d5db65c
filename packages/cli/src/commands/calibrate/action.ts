/** Measures the design or takes the runs that are named, fits them, and writes the calibration. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { factorNamed, formatUs, TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import { calibrateMachine, calibrateRuns, cellText, disturbedError } from '@topo-bench/workbench/calibration';
import { keepCalibration, priorCalibration } from '../../calibration-files.ts';
import { interruptible } from '../../interrupt.ts';
import { settingOf } from '../../measuring.ts';
import { note, printJson, printLine, progressLine, setQuiet } from '../../output.ts';
import { RunProgress } from '../../run-progress.ts';
import { findFile } from '../../shipped-files.ts';
import { version } from '../../version.ts';
import { requireWritable } from '../../write-file.ts';
import { calibrationLines } from './calibration-lines.ts';
import type { CalibrateFlags } from './options.ts';

export async function action(runs: readonly string[], flags: CalibrateFlags): Promise<void> {
  setQuiet(flags.quiet ?? false);
  requireUsage(runs, flags);
  if (flags.out !== undefined) await requireWritable(`--out ${flags.out}`, flags.out, 'machine.json');
  const folder = flags.resume ?? defaultRunFolder('calibration', new Date());
  const prior = await priorCalibration();
  const calibration = await interruptible(async (signal) => {
    if (runs.length === 0) return withWayOn(folder, signal, () => measured(folder, prior, flags, signal));
    return calibrateRuns({
      ...{ folders: runs, version: version(), quick: false, prior, signal, onProgress: progressLine },
      isHeldOut: (levels) => matches(levels, flags.heldOut ?? []),
      onLeftOut: (text) => note(`warning: ${text}`),
      onDisturbed(percent) {
        if (!flags.keepDisturbed) throw disturbedError(cellText(percent), `topo-bench calibrate ${runs.join(' ')}`);
      },
    });
  }, 'interrupted: tearing down');
  const file = await keepCalibration(calibration, flags.out);
  if (flags.json) return printJson({ file, calibration });
  for (const line of calibrationLines(calibration)) printLine(line);
  printLine(`calibration: ${relative('.', file).startsWith('..') ? file : relative('.', file)}`);
}

function requireUsage(runs: readonly string[], flags: CalibrateFlags): void {
  if (runs.length > 0 && (flags.resume !== undefined || flags.quick)) {
    throw new TopoBenchError('TB_USAGE', '--resume and --quick are for a measurement: got run folders as well', {
      hint: 'leave out one of them',
    });
  }
  if (runs.length === 0 && flags.heldOut) {
    throw new TopoBenchError('TB_USAGE', '--held-out needs run folders: the own design has a held-out cell', {
      hint: 'name runs: topo-bench calibrate RUN --held-out rate=200',
    });
  }
  if (flags.resume !== undefined && !existsSync(join(flags.resume, 'design.json'))) {
    throw new TopoBenchError('TB_USAGE', `${flags.resume} has no calibration to continue: its design.json is absent`, {
      hint: 'name the folder of an interrupted `topo-bench calibrate`, or measure anew',
    });
  }
}

async function measured(folder: string, prior: Calibration, flags: CalibrateFlags, signal: AbortSignal) {
  const { quick = false, keepDisturbed = false, quiet } = flags;
  const progress = new RunProgress(
    process.stderr,
    ({ rtt, cpuUsPerRequest }) => [
      `RTT median ${formatUs(rtt.medianUs)}`,
      `CPU ${formatUs(cpuUsPerRequest.total ?? 0)}`,
    ],
    { quiet },
  );
  try {
    return await calibrateMachine({
      ...settingOf({}),
      ...{ folder, quick, keepDisturbed, prior, signal, topology: await findFile('topologies', 'routing-study') },
      onEvent: (event) => progress.onEvent(event),
      onProgress: progressLine,
    });
  } finally {
    progress.close();
  }
}

/** Adds to an interrupt how the calibration continues, while it measures and while it fits. */
async function withWayOn<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    const hint = existsSync(join(folder, 'design.json'))
      ? { hint: `finished cells are kept; continue with: topo-bench calibrate --resume ${folder}` }
      : {};
    throw new TopoBenchError('TB_INTERRUPTED', 'the calibration was interrupted', hint);
  }
}

/** Whether a cell has one of the levels of every factor. */
function matches(levels: FactorLevels, wanted: NonNullable<CalibrateFlags['heldOut']>): boolean {
  const level = (name: string) => levels[factorNamed(name, Object.keys(levels)) ?? name];
  return wanted.length > 0 && wanted.every(([factor, of]) => of.split(',').includes(String(level(factor))));
}
