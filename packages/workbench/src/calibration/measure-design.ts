/** Measures the design of a calibration through ordinary runs. A folder that has a part of them is continued. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { restrictedTo, usableCores } from '@topo-bench/host';
import { openRun } from '@topo-bench/results/run-folder';
import type { RunEvent } from '@topo-bench/trial';
import { open } from '../open.ts';
import { reopen } from '../recorded.ts';
import type { Setting } from '../setting.ts';
import { calibrationDesign, type DesignPart, lowestRateRps, ratesFor } from './calibration-design.ts';

export interface MeasureDesignOptions extends Setting {
  /** Contains all runs. */
  folder: string;
  /** Path of the topology of the routing study. */
  topology: string;
  quick: boolean;
  onEvent: (event: RunEvent) => void;
  onProgress: (text: string) => void;
  signal: AbortSignal;
}

export interface MeasuredDesign {
  folders: string[];
  /** Those that a fit must not see. */
  heldOut: string[];
}

/** @throws TopoBenchError as `Workbench.run` */
export async function measureDesign(options: MeasureDesignOptions): Promise<MeasuredDesign> {
  const { folder, onProgress, signal } = options;
  await mkdir(folder, { recursive: true });
  const parts = await designIn(options);
  const folders: string[] = [];
  for (const part of parts) {
    const runFolder = join(folder, part.name);
    const work = (): Promise<void> => measurePart(part, runFolder, options);
    if (part.core === undefined) await work();
    else {
      onProgress(`the next cells share one core`);
      await restrictedTo(String(part.core), work);
    }
    signal.throwIfAborted();
    folders.push(runFolder);
  }
  return { folders, heldOut: folders.filter((_, i) => parts[i]?.heldOut) };
}

const designFile = 'design.json';

/** The design that the folder has, or a new one for this machine. */
async function designIn(options: MeasureDesignOptions): Promise<DesignPart[]> {
  const { folder, quick, topology } = options;
  const path = join(folder, designFile);
  if (existsSync(path)) return JSON.parse(await readFile(path, 'utf8')) as DesignPart[];
  const canPin = usableCores() > 1 && (await restrictedTo('0', async () => usableCores() === 1).catch(() => false));
  const parts = calibrationDesign({ quick, topology, ratesRps: await ratesOf(options), oneCore: canPin });
  for (const { name, experiment } of parts)
    await writeFile(experimentPath(folder, name), JSON.stringify(experiment, null, 2));
  await writeFile(path, JSON.stringify(parts, null, 2));
  return parts;
}

function experimentPath(folder: string, name: DesignPart['name']): string {
  return join(folder, `${name}.json`);
}

/** From the capacity of this machine, by a probe of five seconds. */
async function ratesOf({
  folder,
  quick,
  topology,
  signal,
  onProgress,
  backends,
}: MeasureDesignOptions): Promise<number[]> {
  onProgress('probing the capacity of this machine for five seconds');
  const [probe] = calibrationDesign({ quick, topology, ratesRps: [lowestRateRps], oneCore: false });
  const path = join(folder, 'probe.json');
  await writeFile(path, JSON.stringify(probe?.experiment, null, 2));
  const { cells } = await (await open({ experiment: path })).estimate(backends, { probe: true, signal });
  const share = Math.max(...cells.map(({ demand }) => demand?.hostShare ?? 0));
  return ratesFor(share > 0 ? share : 0.1);
}

async function measurePart(part: DesignPart, folder: string, options: MeasureDesignOptions): Promise<void> {
  const { onEvent, signal, backends, version, command } = options;
  const known = existsSync(join(folder, 'run.json'));
  if (known && (await openRun(folder)).record.status === 'finished') return;
  const bench = known ? await reopen(folder) : await open({ experiment: experimentPath(options.folder, part.name) });
  await bench.run({ backends, version, command, folder, onEvent, signal });
}
