/**
 * The question that a run asks, answered: which level of the compared factor had the lowest median RTT in each setting of the others, and
 * whether its lead over the next is shown. The repetition is the sample; what the statistics cannot tell is not claimed.
 */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type Comparison, compareSamples } from '@topo-bench/stats';
import type { CellFigures, CellGroup } from './cell-group.ts';
import { comparedFactor, enforces, type Factor, type Level, levelsKey } from './factors.ts';
import type { ReportModel } from './report-model.ts';

export interface Contender {
  level: Level;
  /** In µs: median over the valid repetitions. */
  medianUs: number;
  /** In µs, one per valid repetition in which something was completed. */
  repetitionMediansUs: number[];
  saturated: boolean;
  /** Against the reference level in the same setting; undefined for the reference itself and without figures. */
  againstReference: Comparison | undefined;
}

/**
 * `shown`: the interval of the difference to the next excludes none. `equal`: it excludes every difference that matters (5%). `open`: too few
 * repetitions, too much spread, or a saturated host, on which nothing is claimed.
 */
export type Lead = 'shown' | 'equal' | 'open';

export interface Ranking {
  first: Contender;
  next: Contender;
  /** Of the next with the first as baseline. */
  comparison: Comparison;
  lead: Lead;
}

/** One setting of the factors that are not compared. */
export interface Setting {
  factors: FactorLevels;
  contenders: Contender[];
  /** Among those that enforce rules; undefined when fewer than two have a finite median. */
  ranking: Ranking | undefined;
}

export interface Answer {
  compared: Factor;
  /** Level that ratios refer to. */
  reference: Level;
  settings: Setting[];
}

/** Undefined when no factor varies: there is nothing to compare. */
export function answerOf({ factors, groups }: Pick<ReportModel, 'factors' | 'groups'>): Answer | undefined {
  const compared = comparedFactor(factors);
  if (!compared) return undefined;
  const reference = ['none', 'sidecar'].find((level) => compared.levels.includes(level)) ?? (compared.levels[0] as Level);
  const bySetting = new Map<string, CellGroup[]>();
  for (const group of groups) {
    const key = levelsKey(othersOf(group, compared));
    bySetting.set(key, [...(bySetting.get(key) ?? []), group]);
  }
  const settings = [...bySetting.values()].map((cells): Setting => {
    const contenders = contendersOf(cells, compared, reference);
    return { factors: othersOf(cells[0] as CellGroup, compared), contenders, ranking: rankingOf(contenders, compared) };
  });
  return { compared, reference, settings };
}

function othersOf({ factors }: CellGroup, compared: Factor): FactorLevels {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => name !== compared.name));
}

function contendersOf(cells: readonly CellGroup[], compared: Factor, reference: Level): Contender[] {
  const measured = cells.flatMap((cell) => {
    const level = cell.factors[compared.name];
    if (!cell.figures || level === undefined) return [];
    const repetitionMediansUs = cell.valid.map(({ rtt }) => rtt.medianUs).filter((value) => value > 0);
    return [{ level, medianUs: cell.figures.rtt.medianUs, repetitionMediansUs, saturated: isSaturated(cell.figures) }];
  });
  const baseline = measured.find(({ level }) => level === reference);
  return measured.map((contender) => ({
    ...contender,
    againstReference: baseline && contender !== baseline ? compare(baseline, contender) : undefined,
  }));
}

function rankingOf(contenders: readonly Contender[], compared: Factor): Ranking | undefined {
  const [first, next] = contenders
    .filter(({ level, medianUs }) => enforces(compared, level) && !Number.isNaN(medianUs))
    .sort((a, b) => a.medianUs - b.medianUs);
  const comparison = first && next && Number.isFinite(first.medianUs) && compare(first, next);
  if (!first || !next || !comparison) return undefined;
  return { first, next, comparison, lead: leadOf(comparison, first.saturated || next.saturated) };
}

function compare(
  baseline: Pick<Contender, 'repetitionMediansUs'>,
  candidate: Pick<Contender, 'repetitionMediansUs'>,
): Comparison | undefined {
  const [from, to] = [baseline.repetitionMediansUs, candidate.repetitionMediansUs];
  return from.length === 0 || to.length === 0 ? undefined : compareSamples(from, to);
}

function leadOf({ verdict }: Comparison, saturated: boolean): Lead {
  if (saturated) return 'open';
  return verdict === 'slower' ? 'shown' : verdict === 'no difference seen' ? 'equal' : 'open';
}

function isSaturated({ flags }: CellFigures): boolean {
  return (flags['host-saturated'] ?? 0) > 0;
}
