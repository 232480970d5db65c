/** A measured cell for a fit: what its repetitions recorded, and the same load to simulate. */
import type { CellFigures } from '@topo-bench/core/schema/calibration';
import type { Cell } from '@topo-bench/core/schema/result';
import { SimulatedDeployment } from '@topo-bench/simulator';
import type { FitCell, ModelledCell } from '@topo-bench/simulator/fit';
import { median } from '@topo-bench/stats';
import type { ExperimentCell } from '@topo-bench/trial';
import { loadOf, machineOf } from '../simulated/simulated-load.ts';

export interface MeasuredCell extends FitCell {
  cell: ExperimentCell;
  /** At least one. */
  entries: readonly Cell[];
  cores: number;
  /** Highest use by other programs, and by other guests of the hypervisor. */
  foreignPercent: number;
  stolenPercent: number;
}

/** Repetitions whose RTT and CPU time count. Requests that left late change neither: RTT begins at the gateway. */
export function usableEntries(entries: readonly Cell[]): Cell[] {
  return entries.filter(({ source, validity, rtt, processes }) => {
    const measured = source === 'measured' && (validity.valid || validity.onlyLate === true);
    return measured && rtt.count > 0 && Number.isFinite(rtt.p95Us) && processes !== undefined;
  });
}

/** @param entries usable ones of the cell, at least one */
export async function measuredCell(
  cell: ExperimentCell,
  entries: readonly Cell[],
  cores: number,
): Promise<MeasuredCell> {
  const hosts = entries.map(({ resources }) => resources.host ?? {});
  const use = entries.map((entry) => busyShareOf(entry));
  const first = entries[0] as Cell;
  return {
    ...(await modelledCell(cell, first.repetition, cores, servedBefore(entries))),
    ...{ cell, entries, cores, measured: figuresOfEntries(entries), busyShare: median(use) },
    foreignPercent: Math.max(...hosts.map(({ foreignPercent = 0 }) => foreignPercent)),
    stolenPercent: Math.max(...hosts.map(({ stolenPercent = 0 }) => stolenPercent)),
  };
}

/** The load of a repetition, with the same requests at the same times. */
export async function modelledCell(
  cell: ExperimentCell,
  repetition: number,
  cores: number,
  served: number,
): Promise<ModelledCell> {
  const { graph, plan, settings } = cell;
  const { load, seed } = settings;
  return {
    deployment: await SimulatedDeployment.of(graph, plan, { seed, inFlightCap: load.inFlightCap }),
    setup: { ...loadOf(cell, repetition, served), ...machineOf(cell, { calibration: { name: 'measured', cores } }) },
  };
}

function figuresOfEntries(entries: readonly Cell[]): CellFigures {
  const of = (figure: (entry: Cell) => number): number => median(entries.map(figure));
  const kinds = Object.keys((entries[0] as Cell).cpuUsPerRequest).filter(
    (kind) => kind !== 'total' && kind !== 'store',
  );
  const cpuUsByKind = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Math.max(
        0,
        of(({ cpuUsPerRequest }) => cpuUsPerRequest[kind] ?? 0),
      ),
    ]),
  );
  return {
    ...{ q1Us: of(({ rtt }) => rtt.q1Us), medianUs: of(({ rtt }) => rtt.medianUs), q3Us: of(({ rtt }) => rtt.q3Us) },
    p95Us: of(({ rtt }) => rtt.p95Us),
    ...{ cpuUs: Object.values(cpuUsByKind).reduce((sum, us) => sum + us, 0), cpuUsByKind },
    waitUs: of(
      (entry) => recordsOf(entry).reduce((sum, record) => sum + (record.mainThread?.waitUs ?? 0), 0) / answered(entry),
    ),
  };
}

export function recordsOf({ processes = {} }: Cell): NonNullable<Cell['processes']>[string][] {
  return Object.values(processes);
}

export function answered({ outcomes: { completed, refused, error } }: Cell): number {
  return Math.max(1, completed + refused + error);
}

function servedBefore(entries: readonly Cell[]): number {
  const counts = entries
    .flatMap(recordsOf)
    .flatMap(({ servedBefore: served }) => (served ? [(served.min + served.max) / 2] : []));
  return counts.length === 0 ? 2000 : median(counts);
}

/** Other programs included: they disturb RTT as crowded cores do. */
function busyShareOf({ resources: { host = {} } }: Cell): number {
  const { idlePercent = 100, stolenPercent = 0 } = host;
  return Math.max(0, 100 - idlePercent - stolenPercent) / 100;
}
