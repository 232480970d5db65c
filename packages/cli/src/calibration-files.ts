/** Calibrations on this machine: where they are kept, and the one that fits. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { counted, TopoBenchError } from '@topo-bench/core';
import { type Calibration, calibrationFile } from '@topo-bench/core/schema/calibration';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { readText } from '@topo-bench/experiment/read-inputs';
import { readHostEnvironment } from '@topo-bench/host';
import { timedPath } from '@topo-bench/results/run-name';
import { readDocument } from '@topo-bench/topology';
import { note } from './output.ts';
import { findFile } from './shipped-files.ts';
import type { CalibrationFlags } from './simulation-options.ts';
import { version } from './version.ts';
import { writeFileAndFolders } from './write-file.ts';

export interface FoundCalibration {
  file: string;
  calibration: Calibration;
  sha256: string;
}

/** `$XDG_DATA_HOME/topo-bench/calibrations`, as `calibrate` writes by default. */
export function calibrationFolder(): string {
  return join(process.env.XDG_DATA_HOME || join(os.homedir(), '.local', 'share'), 'topo-bench', 'calibrations');
}

/** A machine and its version of Node.js. */
type Machine = Pick<ReturnType<typeof readHostEnvironment>, 'cpuModel' | 'cores' | 'node'>;

/**
 * The calibration that a flag names, or the newest one of a machine and its major version of Node.js.
 * @param machine default: this one
 * @throws TopoBenchError `TB_CALIBRATION_NONE`, `TB_CALIBRATION_MACHINE`, `TB_FILE_NOT_FOUND`; problems of the file
 */
export async function calibrationFor(flags: CalibrationFlags, machine?: Machine): Promise<FoundCalibration> {
  const environment = machine ?? readHostEnvironment();
  if (flags.calibration === undefined) return foundFor(environment);
  const found = await readCalibration(await findFile('calibrations', flags.calibration));
  const { fit } = found.calibration;
  if (!fit) return found;
  const own = machineOf(environment);
  if (machineOf(fit) === own) return found;
  const message = `${flags.calibration} was measured on ${machineOf(fit)}: got ${own} ${machine ? 'in the run' : 'here'}`;
  if (flags.foreignCalibration) {
    note(`note: the figures stand for another machine: ${message}`);
    return found;
  }
  throw new TopoBenchError('TB_CALIBRATION_MACHINE', message, {
    hint: 'measure this machine with `topo-bench calibrate`, or predict that one with --foreign-calibration',
  });
}

/** The same; the shipped assumptions where this machine has none. Remarks state what does not fit, as sentences. */
export async function calibrationOrAssumed(
  flags: CalibrationFlags,
): Promise<{ calibration: Calibration; remarks: string[] }> {
  try {
    const { calibration } = await calibrationFor(flags);
    return { calibration, remarks: misfitsOf(calibration) };
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_CALIBRATION_NONE') throw error;
    return { calibration: await priorCalibration(), remarks: [`There is ${error.message}.`] };
  }
}

/** What is known before anything is measured. */
export async function priorCalibration(): Promise<Calibration> {
  return (await readCalibration(await findFile('calibrations', 'assumed-two-cores'))).calibration;
}

/**
 * Writes a calibration where `simulate` finds it, or to `file`. A later one, perhaps a quick one, does not replace it.
 * @returns its path
 */
export async function keepCalibration(calibration: Calibration, file?: string): Promise<string> {
  const path = file ?? timedPath(join(calibrationFolder(), calibration.name), new Date(), '.json');
  await writeFileAndFolders(path, `${JSON.stringify(calibration, null, 1)}\n`);
  return path;
}

/** How a calibration differs from this machine and version. */
function misfitsOf({ cores, fit }: Calibration): string[] {
  if (!fit) return [];
  const here = readHostEnvironment();
  const own = machineOf(here);
  return [
    ...(machineOf(fit) === own ? [] : [`It was measured on ${machineOf(fit)}: this is ${own}.`]),
    ...(cores === here.cores ? [] : [`It was measured with ${counted(cores, 'core')}: here are ${here.cores}.`]),
    ...(fit.topoBench === version() ? [] : [`It was measured by topo-bench ${fit.topoBench}: this is ${version()}.`]),
  ];
}

/** @throws TopoBenchError `TB_FILE_NOT_FOUND`, or with all problems of the file */
export async function readCalibration(path: string): Promise<FoundCalibration> {
  const { text, file } = await readText(path);
  const { value, problems } = readDocument(calibrationFile, text, file);
  if (!value) throw problemsError(file, problems);
  return { file, calibration: value, sha256: createHash('sha256').update(text).digest('hex') };
}

/** All cores count alike: those of the calibration are simulated. */
async function foundFor(environment: Machine): Promise<FoundCalibration> {
  const folders = [resolve('calibrations'), calibrationFolder()];
  const others: string[] = [];
  const matching: (FoundCalibration & { date: string; hasCores: boolean })[] = [];
  for (const folder of folders.filter((path) => existsSync(path))) {
    for (const name of (await readdir(folder)).filter((file) => /\.(json|ya?ml)$/.test(file))) {
      const found = await readCalibration(join(folder, name)).catch((error: unknown) => {
        note(`warning: ${join(folder, name)} is no calibration: ${(error as Error).message}`);
        return undefined;
      });
      const fit = found?.calibration.fit;
      if (!found || !fit) continue;
      if (machineOf(fit) !== machineOf(environment)) {
        others.push(`${found.calibration.name} of ${machineOf(fit)}`);
        continue;
      }
      matching.push({ ...found, date: fit.date, hasCores: found.calibration.cores === environment.cores });
    }
  }
  const [best] = matching.toSorted((a, b) => Number(b.hasCores) - Number(a.hasCores) || (a.date < b.date ? 1 : -1));
  if (best) return best;
  const misfits = others.length === 0 ? '' : `, found only ${others.join(', ')}`;
  const message = `no calibration of ${machineOf(environment)}: searched ${folders.join(' and ')}${misfits}`;
  throw new TopoBenchError('TB_CALIBRATION_NONE', message, {
    hint: 'measure one with `topo-bench calibrate` (12 minutes; --quick: 3), or name one: --calibration assumed-two-cores',
  });
}

/** Compilers and caches decide about demand: a calibration holds for one CPU model and one major version. */
function machineOf({ cpuModel, node }: Pick<Machine, 'cpuModel' | 'node'>): string {
  return `${cpuModel} with Node.js ${node.split('.')[0]}`;
}
