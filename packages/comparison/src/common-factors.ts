/**
 * Cells of two runs by the factors that both have. Of a factor that one run alone varies, the level counts that the
 * other run has as a plain setting: the cells that mean the same are compared.
 */
import { type FactorLevel, factorPath, quantityOf, type RunFolder } from '@topo-bench/core';
import { type CellRepetitions, cellsOf } from './cell-samples.ts';

export interface CommonCells {
  baseline: CellRepetitions[];
  candidate: CellRepetitions[];
  /** Which level stands for the other run, one sentence without full stop for each factor. */
  notes: string[];
}

export function commonCells(baseline: RunFolder, candidate: RunFolder): CommonCells {
  const cells = { baseline: cellsOf(baseline), candidate: cellsOf(candidate) };
  const notes: string[] = [];
  const align = (side: 'baseline' | 'candidate', other: RunFolder, otherSide: 'baseline' | 'candidate'): void => {
    const known = namesOf(cells[otherSide]);
    if (known.size === 0) return;
    for (const factor of namesOf(cells[side])) {
      if (known.has(factor)) continue;
      const levels = [...new Set(cells[side].flatMap(({ factors }) => factors[factor] ?? []))];
      const own = settingOf(other, factor);
      const equal = levels.find((level) => means(level, own));
      const level = equal ?? (levels.length === 1 && own === undefined ? levels[0] : undefined);
      if (level === undefined) continue;
      cells[side] = cells[side].filter(({ factors }) => factors[factor] === level).map((cell) => without(cell, factor));
      const why =
        equal === undefined
          ? `its only level; whether the ${otherSide} has it is unknown`
          : `which the ${otherSide} has`;
      notes.push(`${factor} is a factor of the ${side} alone: ${level} is compared, ${why}`);
    }
  };
  align('candidate', baseline, 'baseline');
  align('baseline', candidate, 'candidate');
  return { ...cells, notes };
}

function namesOf(cells: readonly CellRepetitions[]): Set<string> {
  return new Set(cells.flatMap(({ factors }) => Object.keys(factors)));
}

function without(cell: CellRepetitions, factor: string): CellRepetitions {
  const { [factor]: _dropped, ...factors } = cell.factors;
  return { ...cell, factors };
}

/** The value of the field in the resolved files of a run, or that of `defaults`; undefined where they lack both. */
function settingOf({ record: { experiment, topology } }: RunFolder, factor: string): unknown {
  const path = factorPath(factor)
    .split(/[.[\]]+/)
    .filter((step) => step !== '');
  const own = factor.startsWith('topology.') ? at(topology, path) : (at(experiment, path) ?? at(topology, path));
  const [group, , ...field] = path;
  return own ?? (group === 'services' && field.length > 0 ? at(topology, ['defaults', ...field]) : undefined);
}

/** Members of lists by index or, as in paths of factors, by name; `*` where all members agree. */
function at(value: unknown, [step, ...more]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return at((value as Record<string, unknown>)[step], more);
  if (step !== '*') return at(value.find((one) => one?.name === step) ?? value[Number(step)], more);
  const found = value.map((one) => at(one, more)).filter((one) => one !== undefined);
  const texts = new Set(found.map((one) => JSON.stringify(one)));
  return texts.size === 1 ? found[0] : undefined;
}

/** Resolved files have quantities in µs and bytes, and laws of service time with their mean. */
function means(level: FactorLevel, value: unknown): boolean {
  if (value === undefined) return false;
  if (value === level || String(value) === String(level)) return true;
  const { law, meanUs } = (typeof value === 'object' && value !== null ? value : {}) as {
    law?: string;
    meanUs?: number;
  };
  const amount = law === 'constant' ? meanUs : value;
  return typeof amount === 'number' && quantityOf(level)?.value === amount;
}
