/** Numbers the set-ups of runs, per experiment. Runs with the same number can be compared. */
import { setupChanges } from '@topo-bench/comparison';
import { cellKey, type RunFolder } from '@topo-bench/core';
import type { Setup } from './run-list.ts';

/** Versions are what a list over time compares. */
const versions = ['topo-bench', 'Node.js'];

export class SetupNumbers {
  /**
   * One run of each set-up, by experiment: the first with a valid repetition, else the first. A run that measured
   * nothing lacks facts such as privileges, and runs that differ in these would both be equal to it.
   */
  readonly #examples = new Map<string, RunFolder[]>();

  of(run: RunFolder): Setup {
    const examples = this.#examples.get(run.record.name) ?? [];
    this.#examples.set(run.record.name, examples);
    const at = examples.findIndex((example) => differences(example, run).length === 0);
    const [reference] = examples;
    const number = at < 0 ? examples.push(run) : at + 1;
    if (at >= 0 && !hasMeasured(examples[at] as RunFolder)) examples[at] = run;
    return { number, differences: number === 1 || !reference ? [] : differences(reference, run) };
  }
}

function hasMeasured({ cells }: RunFolder): boolean {
  return cells.some(({ validity }) => validity.valid);
}

function differences(example: RunFolder, run: RunFolder): string[] {
  const changed = setupChanges(example, run, ['in set-up 1', 'here']).filter(({ what }) => !versions.includes(what));
  return [...changed.map(({ text }) => text), ...otherNeighbours(example, run), ...otherTurns(example, run)];
}

/** Both sides of a gate are deployed at once and take turns, unlike the cells of an ordinary run. */
function otherTurns({ record: example }: RunFolder, { record: run }: RunFolder): string[] {
  const [before, now] = [example, run].map(({ sideBySide }) => (sideBySide ? 'a side of a gate' : 'an ordinary run'));
  return before === now ? [] : [`${before} → ${now}`];
}

/** Cells that are deployed together share the machine: those of a run with other cells are no equal ones. */
function otherNeighbours({ record: first }: RunFolder, { record: run }: RunFolder): string[] {
  const { deploy } = (run.experiment ?? {}) as { deploy?: unknown };
  if (deploy !== 'interleaved') return [];
  const [before, now] = [first, run].map(({ plannedCells }) => plannedCells.map(cellKey).sort().join());
  if (before === now) return [];
  return [`other cells took turns with them (${first.plannedCells.length} → ${run.plannedCells.length} cells)`];
}
