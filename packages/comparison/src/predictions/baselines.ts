/** What simple rules predict from calibrated cells: a model that is no better is of no use. */
import type { CellFigures, FittedCell } from '@topo-bench/core/schema/calibration';
import type { PredictedFigures, RegisteredCell } from '@topo-bench/core/schema/predictions';
import type { Cell } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';

/** Calibrated cells have no p99. */
type Figure = Exclude<keyof PredictedFigures, 'p99Us'>;
const figures: readonly Figure[] = ['medianUs', 'p95Us', 'cpuUs'];

/** @param entry simulated; its hops and turns do not depend on times */
export function baselinesOf(entry: Cell, calibrated: readonly FittedCell[]): RegisteredCell['baselines'] {
  const seen = calibrated.filter(({ heldOut }) => !heldOut);
  if (seen.length === 0) return {};
  const { measured } = nearest(entry, seen);
  return {
    nearest: { medianUs: measured.medianUs, p95Us: measured.p95Us, cpuUs: measured.cpuUs },
    linearInHops: each((figure) => lineInHops(entry.hops.perRequest, seen, (cell) => cell[figure])),
    mm1: mm1(entry, seen),
  };
}

/** By the logarithms of hops and rate; another architecture counts like a factor of 1.6. */
function nearest({ factors, hops, offeredRps }: Cell, seen: readonly FittedCell[]): FittedCell {
  const distance = (cell: FittedCell): number =>
    Math.abs(Math.log(cell.hops / hops.perRequest)) +
    Math.abs(Math.log(cell.rateRps / offeredRps)) +
    (cell.factors.architecture === factors.architecture ? 0 : 0.5);
  return seen.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

function lineInHops(at: number, seen: readonly FittedCell[], figure: (measured: CellFigures) => number): number {
  const mean = (of: (cell: FittedCell) => number): number =>
    seen.reduce((sum, cell) => sum + of(cell), 0) / seen.length;
  const hops = mean((cell) => cell.hops);
  const value = mean(({ measured }) => figure(measured));
  const spread = mean((cell) => (cell.hops - hops) ** 2);
  const slope = spread === 0 ? 0 : mean((cell) => (cell.hops - hops) * (figure(cell.measured) - value)) / spread;
  return Math.max(0, value + slope * (at - hops));
}

/**
 * An M/M/1 queue for each process, whose demand is its share of the turns: mean Σ D/(1 − λD), and p95 and p99 of a
 * normal law with its variance. No statement for a process without time left.
 */
function mm1({ hops, offeredRps, processes = {} }: Cell, seen: readonly FittedCell[]): PredictedFigures {
  const perHopUs = median(seen.map((cell) => cell.measured.cpuUs / cell.hops));
  const cpuUs = perHopUs * hops.perRequest;
  const turns = Object.values(processes).flatMap(({ roles = {} }) =>
    Object.values(roles).map((role) => role.turns ?? 0),
  );
  const all = turns.reduce((sum, count) => sum + count, 0);
  const stays = turns
    .filter((count) => count > 0)
    .map((count) => {
      const demandUs = (cpuUs * count) / all;
      return demandUs / (1 - (offeredRps * demandUs) / 1e6);
    });
  if (stays.length === 0 || stays.some((us) => us < 0 || !Number.isFinite(us)))
    return { medianUs: null, p95Us: null, p99Us: null, cpuUs };
  const mean = stays.reduce((sum, us) => sum + us, 0);
  const deviation = Math.sqrt(stays.reduce((sum, us) => sum + us * us, 0));
  return { medianUs: mean, p95Us: mean + 1.645 * deviation, p99Us: mean + 2.326 * deviation, cpuUs };
}

function each(of: (figure: Figure) => number): PredictedFigures {
  return Object.fromEntries(figures.map((figure) => [figure, of(figure)])) as unknown as PredictedFigures;
}
