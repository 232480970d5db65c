/**
 * The answer of a run: each level of the compared factor against the reference, in every setting of the other factors.
 * The figures come from the code of `topo-bench compare`, so page and command agree.
 */
import { type CellComparison, costOfRounds, sensitivitySentences } from '@topo-bench/comparison';
import { cellKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import {
  type CellFigures,
  type CellGroup,
  comparedFactor,
  enforces,
  type Factor,
  type Level,
  type ReportModel,
} from '@topo-bench/report/model';
import { largestShare } from '@topo-bench/results';
import { answerComparison } from './answer-comparison.ts';
import { spreadSentence } from './repetition-spread.ts';

export interface Contender {
  level: Level;
  /** Median over the valid repetitions, in µs. */
  medianUs: number;
  isSimulated: boolean;
  /** In µs, one per valid repetition with a completed request. */
  repetitionMediansUs: number[];
  saturated: boolean;
  /** Max CPU share of other programs, as `34%`; undefined if it is small. */
  foreignShare: string | undefined;
  /**
   * Against the reference level in the same setting; undefined for the reference itself, and if nothing could be
   * compared.
   */
  againstReference: CellComparison | undefined;
  /** Against the lowest level of the setting, where the reference does not show which is lower; else absent. */
  againstLowest?: CellComparison;
}

/** One setting of the factors that are not compared. */
export interface Setting {
  factors: FactorLevels;
  contenders: Contender[];
  /** Lowest median among the levels with enforcement; undefined if fewer than two medians are finite. */
  lowest: Contender | undefined;
  /** The comparison shows a lower median than that of every other level with enforcement. */
  isShown: boolean;
}

export interface Answer {
  compared: Factor;
  /** The reference level. */
  reference: Level;
  settings: Setting[];
  /** Levels took turns under load. */
  inTurns: boolean;
  /** Differences too small for the comparison. */
  limits: string[];
  /** How far apart repetitions of one cell are; absent without two of them. */
  spread?: string;
  /** Caveats of the answer, or the reason why there is none. */
  notes: string[];
}

/** Undefined without a varying factor: there is no comparison. */
export function answerOf({
  factors,
  groups,
  runs,
}: Pick<ReportModel, 'factors' | 'groups' | 'runs'>): Answer | undefined {
  const compared = comparedFactor(factors);
  if (!compared) return undefined;
  const { reference, cells, notes, effect } = answerComparison(runs, compared);
  const bySetting = new Map<string, CellGroup[]>();
  for (const group of groups) {
    const key = cellKey(othersOf(group, compared));
    bySetting.set(key, [...(bySetting.get(key) ?? []), group]);
  }
  const againstLowest = comparisonsWithLowest(runs, compared);
  const settings = [...bySetting.values()].map((found): Setting => {
    const contenders = found.flatMap((group) => contenderOf(group, compared, cells));
    const lowest = lowestOf(contenders, compared);
    const rivals = lowest ? rivalsOf(lowest, contenders, compared, reference) : [];
    for (const one of rivals) {
      const group = found.find(({ factors }) => factors[compared.name] === one.level) as CellGroup;
      const cell = againstLowest(lowest?.level as Level).get(cellKey(group.factors));
      if (cell) one.againstLowest = cell;
    }
    return {
      factors: othersOf(found[0] as CellGroup, compared),
      contenders,
      lowest,
      isShown: lowest !== undefined && isShownLowest(lowest, contenders, compared, reference),
    };
  });
  const spread = cells.size === 0 ? undefined : spreadSentence(runs);
  return {
    compared,
    reference,
    settings,
    notes,
    inTurns: groups.some(({ valid }) => valid.some(({ turns }) => turns !== undefined && turns.levels > 1)),
    ...(spread !== undefined && { spread }),
    // What could not have been seen is of no use next to differences that are all shown.
    limits: [...cells.values()].every(isShown)
      ? []
      : sensitivitySentences([...cells.values()], effect, costOfRounds(runs)),
  };
}

/** All medians that the answer may show next to each other, in µs. */
export function timesInAnswer({ settings }: Answer): number[] {
  return settings.flatMap(({ contenders }) =>
    contenders.flatMap(({ medianUs, repetitionMediansUs }) => [medianUs, ...repetitionMediansUs]),
  );
}

function othersOf({ factors }: CellGroup, compared: Factor): FactorLevels {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => name !== compared.name));
}

function contenderOf(
  { factors, figures, valid }: CellGroup,
  compared: Factor,
  cells: ReadonlyMap<string, CellComparison>,
): Contender[] {
  const level = factors[compared.name];
  if (!figures || level === undefined) return [];
  return [
    {
      level,
      medianUs: figures.rtt.medianUs,
      isSimulated: valid.some(({ source }) => source === 'simulated'),
      repetitionMediansUs: valid.map(({ rtt }) => rtt.medianUs).filter((value) => value > 0),
      saturated: isSaturated(figures),
      foreignShare: largestShare('foreign-load', valid),
      againstReference: cells.get(cellKey(factors)),
    },
  ];
}

function lowestOf(contenders: readonly Contender[], compared: Factor): Contender | undefined {
  const [first, next] = contenders
    .filter(({ level, medianUs }) => enforces(compared, level) && !Number.isNaN(medianUs))
    .sort((a, b) => a.medianUs - b.medianUs);
  return first && next && Number.isFinite(first.medianUs) ? first : undefined;
}

/**
 * A level below the reference is also below the levels that are not. The others are compared with it: whichever level
 * is the lowest, only comparisons with the one that truly is can be wrong, and those are as many as with a reference.
 */
function isShownLowest(
  lowest: Contender,
  contenders: readonly Contender[],
  compared: Factor,
  reference: Level,
): boolean {
  const others = contenders.filter((one) => one !== lowest && enforces(compared, one.level));
  const isSlower = ({ againstReference, againstLowest }: Contender): boolean =>
    againstReference?.verdict === 'slower' || againstLowest?.verdict === 'slower';
  if (lowest.level === reference) return others.every(isSlower);
  const isFaster = lowest.againstReference?.verdict === 'faster';
  return isFaster && others.every((one) => one.level === reference || isSlower(one));
}

/** The levels of which the reference does not show that they are above the lowest one. */
function rivalsOf(
  lowest: Contender,
  contenders: readonly Contender[],
  compared: Factor,
  reference: Level,
): Contender[] {
  if (lowest.againstReference?.verdict !== 'faster' || compared.name === 'run') return [];
  return contenders.filter(
    ({ level, againstReference }) =>
      ![lowest.level, reference].includes(level) && enforces(compared, level) && againstReference?.verdict !== 'slower',
  );
}

/** Comparisons with a level as the reference, each made once. */
function comparisonsWithLowest(
  runs: ReportModel['runs'],
  compared: Factor,
): (level: Level) => ReadonlyMap<string, CellComparison> {
  const found = new Map<Level, ReadonlyMap<string, CellComparison>>();
  return (level) => {
    const cells = found.get(level) ?? answerComparison(runs, compared, level).cells;
    found.set(level, cells);
    return cells;
  };
}

export function isShown({ verdict }: Pick<CellComparison, 'verdict'>): boolean {
  return verdict !== 'cannot tell' && verdict !== 'no difference seen';
}

function isSaturated({ flags }: CellFigures): boolean {
  return (flags['host-saturated'] ?? 0) > 0;
}
