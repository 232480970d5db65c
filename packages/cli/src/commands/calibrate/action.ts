/** Measures the design or takes the runs that are named, fits them, and writes the calibration. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formatUs, TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import { calibrateRuns, maxForeignPercent, measureDesign, quietMachine } from '@topo-bench/workbench/calibration';
import { calibrationFolder, readCalibration } from '../../calibration-files.ts';
import { interruptible } from '../../interrupt.ts';
import { settingOf } from '../../measuring.ts';
import { printJson, printLine, progressLine, setQuiet } from '../../output.ts';
import { RunProgress } from '../../run-progress.ts';
import { findFile } from '../../shipped-files.ts';
import { version } from '../../version.ts';
import { requireWritable, writeFileAndFolders } from '../../write-file.ts';
import { calibrationLines } from './calibration-lines.ts';
import type { CalibrateFlags } from './options.ts';

type Measurement = Awaited<ReturnType<typeof measureDesign>>;

export async function action(runs: readonly string[], flags: CalibrateFlags): Promise<void> {
  setQuiet(flags.quiet ?? false);
  requireUsage(runs, flags);
  if (flags.out !== undefined) await requireWritable(`--out ${flags.out}`, flags.out, 'machine.json');
  const folder = flags.resume ?? defaultRunFolder('calibration', new Date());
  const prior = (await readCalibration(await findFile('calibrations', 'assumed-two-cores'))).calibration;
  const fit = (measured: Measurement, signal: AbortSignal) =>
    calibrateRuns({
      ...{ folders: measured.folders, version: version(), quick: flags.quick ?? false, signal },
      isHeldOut: (levels, of) => measured.heldOut.includes(of) || matches(levels, flags.heldOut ?? []),
      prior,
      onProgress: progressLine,
      onDisturbed(percent) {
        if (flags.keepDisturbed) return;
        throw disturbed(`up to ${Math.round(percent)}% of the processors during a cell`, runs, folder);
      },
    });
  const calibration = await interruptible(async (signal) => {
    if (runs.length > 0) return fit({ folders: [...runs], heldOut: [] }, signal);
    return withWayOn(folder, signal, async () => fit(await measure(folder, flags, signal), signal));
  }, 'interrupted: tearing down');
  // A later one, perhaps a quick one, does not replace it.
  const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const file = flags.out ?? join(calibrationFolder(), `${calibration.name}-${date}.json`);
  await writeFileAndFolders(file, `${JSON.stringify(calibration, null, 1)}\n`);
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

/** At most so long before and during a measurement, in seconds. */
const waits = { full: 60, quick: 20 };

async function measure(folder: string, flags: CalibrateFlags, signal: AbortSignal) {
  const { quick = false, keepDisturbed, quiet } = flags;
  const maxSeconds = quick ? waits.quick : waits.full;
  const quietness = await quietMachine({
    ...{ maxForeignPercent, maxSeconds, signal },
    onWait: (percent) =>
      progressLine(`other programs use ${Math.round(percent)}% of the processors: waiting up to ${maxSeconds} s`),
  });
  const { foreignPercent = 0, waitedSeconds } = quietness;
  progressLine(
    `other programs use ${Math.round(foreignPercent)}% of the processors, after ${waitedSeconds} s of waiting`,
  );
  if (foreignPercent > maxForeignPercent && !keepDisturbed) {
    throw disturbed(
      `${Math.round(foreignPercent)}% of the processors after ${waitedSeconds} s of waiting`,
      [],
      undefined,
    );
  }
  const progress = new RunProgress(
    process.stderr,
    ({ rtt, cpuUsPerRequest }) => [
      `RTT median ${formatUs(rtt.medianUs)}`,
      `CPU ${formatUs(cpuUsPerRequest.total ?? 0)}`,
    ],
    { quiet },
  );
  try {
    return await measureDesign({
      ...settingOf({}),
      ...{ folder, quick, signal, topology: await findFile('topologies', 'routing-study') },
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

function disturbed(how: string, runs: readonly string[], folder: string | undefined): TopoBenchError {
  const again = runs.length > 0 ? `calibrate ${runs.join(' ')}` : `calibrate --resume ${folder}`;
  const kept =
    runs.length === 0 && folder === undefined ? 'measure all the same, marked' : `keep it, marked: topo-bench ${again}`;
  return new TopoBenchError(
    'TB_CALIBRATION_DISTURBED',
    `other programs used ${how}: expected at most ${maxForeignPercent}%`,
    {
      hint: `free the machine and calibrate again, or ${kept} --keep-disturbed`,
    },
  );
}

/** Whether a cell has one of the levels of every factor. */
function matches(levels: FactorLevels, wanted: NonNullable<CalibrateFlags['heldOut']>): boolean {
  return wanted.length > 0 && wanted.every(([factor, of]) => of.split(',').includes(String(levels[factor])));
}
