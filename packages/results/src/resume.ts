/** What a run still has to do, and whether it may go on: repetitions of one run must come from one set-up. */
import { TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';

/** Names a repetition of a cell; the order in which factors are written does not matter. */
export function repetitionKey(factors: FactorLevels, repetition: number): string {
  const sorted = Object.entries(factors).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted, repetition]);
}

/** Repetitions of the plan that have no entry yet, round by round. */
export function missingRepetitions(record: RunRecord, cells: readonly Cell[]): { factors: FactorLevels; repetition: number }[] {
  const done = new Set(cells.map(({ factors, repetition }) => repetitionKey(factors, repetition)));
  const missing = [];
  for (let repetition = 1; repetition <= record.repetitions; repetition++) {
    for (const factors of record.plannedCells) {
      if (!done.has(repetitionKey(factors, repetition))) missing.push({ factors, repetition });
    }
  }
  return missing;
}

/** One field in which two set-ups differ, by path. */
export interface Difference {
  path: string;
  before: unknown;
  now: unknown;
}

/** What decides the figures of a repetition. Kernel and memory size change with updates and are recorded, not compared. */
const comparedEnvironment = ['topoBench', 'node', 'platform', 'arch', 'cpuModel', 'cores', 'hostname'] as const;

/** Differences of set-up between a recorded run and the one that wants to continue it. */
export function setupDifferences(before: RunRecord, now: RunRecord): Difference[] {
  return differences(setup(before), setup(now), '');
}

/** @throws TopoBenchError `TB_RUN_FOLDER_DIFFERENT_EXPERIMENT` listing the fields */
export function requireSameSetup(folder: string, before: RunRecord, now: RunRecord): void {
  const found = setupDifferences(before, now);
  if (found.length === 0) return;
  const shown = found.slice(0, 10).map(({ path, before, now }) => `${path} was ${show(before)}, is now ${show(now)}`);
  if (found.length > shown.length) shown.push(`and ${found.length - shown.length} more`);
  throw new TopoBenchError(
    'TB_RUN_FOLDER_DIFFERENT_EXPERIMENT',
    `cannot continue ${folder}: ${found.length} ${found.length === 1 ? 'field differs' : 'fields differ'}: ${shown.join('; ')}`,
    { hint: 'undo the change, or start a new run' },
  );
}

function setup({ name, experiment, topology, seed, plannedCells, repetitions, environment }: RunRecord): unknown {
  const compared = Object.fromEntries(comparedEnvironment.map((key) => [key, environment[key]]));
  // Through JSON, as the recorded side went: an undefined field and an absent one are the same.
  return JSON.parse(JSON.stringify({ name, experiment, topology, seed, plannedCells, repetitions, environment: compared }));
}

function differences(before: unknown, now: unknown, path: string): Difference[] {
  if (Object.is(before, now)) return [];
  if (!isContainer(before) || !isContainer(now) || Array.isArray(before) !== Array.isArray(now)) return [{ path, before, now }];
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...keys].flatMap((key) => differences(before[key], now[key], path === '' ? key : `${path}.${key}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
