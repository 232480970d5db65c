/** A calibration from run folders: their cells are opened again, fitted, and the held-out ones predicted. */
import { resolve } from 'node:path';
import { cellKey, counted, isEnforced, TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results/run-folder';
import {
  fitCalibration,
  type Measured,
  maxForeignPercent,
  measuredCell,
  unknownPart,
  usableEntries,
} from '@topo-bench/routing/calibration';
import type { ExperimentCell } from '@topo-bench/trial';
import { reopen } from '../recorded.ts';

export interface CalibrateOptions {
  folders: readonly string[];
  /** Those of them that must have a cell for the fit. */
  added?: readonly string[];
  /** Whether the fit must not see a cell. */
  isHeldOut: (levels: FactorLevels, folder: string) => boolean;
  /** The model before. */
  prior: Calibration;
  /** Version of topo-bench. */
  version: string;
  /** A rougher fit in less time. */
  quick: boolean;
  onProgress?: (text: string) => void;
  /** Called for each folder with cells that are not fitted, with their number and the reasons. */
  onLeftOut?: (text: string) => void;
  /** Called before the fit when other programs used too much; throws to refuse it. */
  onDisturbed: (foreignPercent: number) => void;
  signal: AbortSignal;
}

/** Simulated requests per cell and step, and steps. */
const effort = { full: { requests: 700, iterations: 6 }, quick: { requests: 400, iterations: 5 } };

/** @throws TopoBenchError `TB_CALIBRATION_LACKS`, and as `openRun` */
export async function calibrateRuns(options: CalibrateOptions): Promise<Calibration> {
  const { folders, added = [], isHeldOut, prior, version, quick, onProgress, onLeftOut, onDisturbed, signal } = options;
  const measured: Measured[] = [];
  const environments: RunRecord['environment'][] = [];
  for (const folder of folders) {
    const { record, cells } = await openRun(folder);
    requireMeasured(folder, record);
    environments.push(record.environment);
    const experiment = await reopen(folder);
    const byKey = new Map(experiment.cells.map((cell) => [cellKey(cell.levels), cell]));
    const usable = usableByCell(cells);
    const leftOut = leftOutText(folder, experiment.cells, usable);
    if (leftOut !== undefined) onLeftOut?.(leftOut);
    const before = measured.length;
    for (const [key, entries] of usable) {
      const cell = byKey.get(key);
      if (!cell || unknownPart(cell) !== undefined) continue;
      const { cores } = record.environment;
      measured.push({ cell: await measuredCell(cell, entries, cores), heldOut: isHeldOut(cell.levels, folder) });
      signal.throwIfAborted();
    }
    if (leftOut !== undefined && measured.length === before && added.includes(folder)) {
      throw lacks(leftOut, 'measure cells of open load on local processes, perhaps at a lower rate');
    }
  }
  requireOneMachine(folders, environments);
  requireEnough(measured);
  const foreignPercent = Math.max(...measured.map(({ cell }) => cell.foreignPercent));
  if (foreignPercent > maxForeignPercent) onDisturbed(foreignPercent);
  const [first] = environments as [RunRecord['environment']];
  const cores = Math.max(...environments.map((environment) => environment.cores));
  let shown = 0;
  return fitCalibration(measured, {
    ...{ prior: prior.demand, machine: { cpuModel: first.cpuModel, node: first.node, cores }, topoBench: version },
    ...{ runs: folders.map((folder) => resolve(folder)), date: new Date(), ...effort[quick ? 'quick' : 'full'] },
    async onEvaluation(done, of) {
      // Ctrl-C arrives between two simulations.
      await new Promise(setImmediate);
      signal.throwIfAborted();
      const tenth = Math.floor((10 * done) / of);
      if (tenth > shown) onProgress?.(`fitting: ${tenth * 10}%`);
      shown = tenth;
    },
  });
}

function usableByCell(cells: readonly Cell[]): Map<string, Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const entry of usableEntries(cells)) {
    const key = cellKey(entry.factors);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return groups;
}

/** Undefined where all cells are fitted. */
function leftOutText(
  folder: string,
  cells: readonly ExperimentCell[],
  usable: ReadonlyMap<string, unknown>,
): string | undefined {
  const reasons = cells.flatMap((cell) => {
    const part = unknownPart(cell);
    if (part !== undefined) return [`the model does not know ${part}`];
    return usable.has(cellKey(cell.levels)) ? [] : ['no usable repetition'];
  });
  if (reasons.length === 0) return undefined;
  const why = [...new Set(reasons)].join('; ');
  const { length: all } = cells;
  const which = reasons.length === all ? 'no cell' : `${reasons.length} of ${counted(all, 'cell')}`;
  return `${folder}: ${which} ${reasons.length === all ? 'is fitted' : 'left out'}: ${why}`;
}

function requireMeasured(folder: string, { study, simulation }: RunRecord): void {
  if (simulation) throw lacks(`${folder} is simulated: got no measurement to fit`, 'name runs of `topo-bench run`');
  if (study !== undefined && study !== 'routing')
    throw lacks(`${folder} has a study of kind ${study}: expected routing`, 'name runs of requests through a gateway');
}

function requireOneMachine(folders: readonly string[], environments: readonly RunRecord['environment'][]): void {
  const machineOf = ({ cpuModel, node }: RunRecord['environment']): string =>
    `${cpuModel} with Node.js ${node.split('.')[0]}`;
  const names = environments.map(machineOf);
  const other = names.findIndex((name) => name !== names[0]);
  if (other < 0) return;
  throw lacks(
    `the runs are of two machines: got ${names[0]} in ${folders[0]} and ${names[other]} in ${folders[other]}`,
    'calibrate each machine by itself',
  );
}

/** What cells must tell for the parameters of the model: more than this spread in each direction. */
function requireEnough(measured: readonly Measured[]): void {
  const seen = measured.filter(({ heldOut }) => !heldOut).map(({ cell }) => cell);
  const rates = seen.map(({ cell }) => cell.settings.load.rate);
  const hops = seen.map(({ entries }) => entries[0]?.hops.perRequest ?? 0);
  const enforces = seen.some(({ cell }) => isEnforced(cell.graph.enforcement.architecture));
  const missing = [
    ...(seen.length < 4 ? [`at least 4 cells with a usable repetition (got ${seen.length})`] : []),
    ...(Math.max(...rates) < 3 * Math.min(...rates) || rates.length === 0
      ? ['rates whose highest is 3 times the lowest: cost per request falls with the rate']
      : []),
    ...(Math.max(...hops) < 1.5 * Math.min(...hops) || hops.length === 0
      ? ['cells with 1.5 times as many hops as others: more services or another architecture']
      : []),
    ...(enforces ? [] : ['an architecture that enforces rules']),
    ...(seen.some(({ measured: figures }) => Object.values(figures.cpuUsByKind).every((us) => us > 0))
      ? []
      : ['CPU time by kind of role, which Linux records']),
  ];
  if (missing.length === 0) return;
  throw lacks(
    `the runs do not tell enough of this machine: they lack ${missing.join('; ')}`,
    'measure more cells, or let `topo-bench calibrate` measure its own',
  );
}

function lacks(message: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_CALIBRATION_LACKS', message, { hint });
}
