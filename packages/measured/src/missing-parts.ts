/** What this machine lacks for a run, all at once: each with its way out, and the choice that leaves all of it out. */
import { ExitCode, TopoBenchError } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';
import { usableChoice } from './usable-choice.ts';

/** One missing requirement of some cells. */
interface MissingPart {
  /** Names it, e.g. by the database. */
  label: string;
  error: TopoBenchError;
  cells: readonly ExperimentCell[];
}

export class MissingParts {
  readonly #found = new Map<string, MissingPart>();
  readonly #section: string;

  /** @param section of the experiment or topology that names servers, for hints */
  constructor(section: 'persistence' | 'stream' = 'persistence') {
    this.#section = section;
  }

  /** Runs a check. @throws errors that are not ours */
  async check(label: string, cells: readonly ExperimentCell[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      this.#add({ label, error, cells });
    }
  }

  /**
   * @param all the cells of the run
   * @throws TopoBenchError if anything is missing, with the code of the first that the environment lacks
   */
  requireNone(all: readonly ExperimentCell[]): void {
    const missing = [...this.#found.values()];
    const [first] = missing;
    if (!first) return;
    const { code } = missing.find(({ error }) => error.exitCode === ExitCode.environment)?.error ?? first.error;
    const unusable = new Set(missing.flatMap(({ cells }) => cells));
    const choice = usableChoice(all, (cell) => !unusable.has(cell));
    const isOne = missing.length === 1;
    const ways = missing.flatMap(({ label, error }) => {
      const hint = error.hint?.replaceAll(/`persistence(?=[`.])/g, `\`${this.#section}`);
      return hint === undefined ? [] : [isOne ? hint : `${label}: ${hint}`];
    });
    const leaveOut = choice.length > 0 ? [`or leave ${isOne ? 'it' : 'them'} out with ${choice.join(' ')}`] : [];
    const hint = [...new Set(ways), ...leaveOut].join('; ');
    const message = missing.map(({ label, error }) => `${label}: ${error.message}`).join('\n');
    throw new TopoBenchError(code, message, { ...(hint !== '' && { hint }), cause: first.error });
  }

  /** The same problem of several cells is listed once. */
  #add({ label, error, cells }: MissingPart): void {
    const key = `${label}: ${error.message}`;
    const known = this.#found.get(key);
    this.#found.set(key, { label, error, cells: [...(known?.cells ?? []), ...cells] });
  }
}
