/** Problems of several files, in the order found. A problem of many cells is listed once. */
import { type ErrorCode, formatLocation, type Problem, type SourceLocation, TopoBenchError } from '@topo-bench/core';
import type { SourceDocument } from '@topo-bench/topology';
import { withoutField } from './experiment-document.ts';

export class ProblemList {
  readonly #problems = new Map<string, Problem>();

  add(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const key = problemKey(problem);
      if (!this.#problems.has(key)) this.#problems.set(key, problem);
    }
  }

  /**
   * Runs work that throws problems of a file without a location.
   * @returns undefined after a failure; the list then has the problem
   */
  attempt<T>(place: Pick<Problem, 'file' | 'line' | 'column'>, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      const { code, message, hint } = error;
      this.add([{ ...place, code, message, ...(hint !== undefined && { hint }) }]);
      return undefined;
    }
  }

  get all(): Problem[] {
    return [...this.#problems.values()];
  }

  get hasErrors(): boolean {
    return this.all.some(isError);
  }
}

/** One error for all problems of some files. */
export function problemsError(what: string, problems: readonly Problem[]): TopoBenchError {
  const errors = problems.filter(isError);
  const code: ErrorCode = errors[0]?.code ?? 'TB_SCHEMA_INVALID';
  const count = errors.length === 1 ? 'one problem' : `${errors.length} problems`;
  return new TopoBenchError(code, `${what} cannot be used: ${count}`, { problems });
}

/**
 * Places of the problems that `set` causes, by `problemKey`. Without the field of `set`, such a problem is gone. Its
 * place is the smallest part of which this holds.
 *
 * @param problemsWith problems of the topology with these fields in place of `set`
 */
export function placesInSet(
  found: readonly Problem[],
  set: Readonly<Record<string, unknown>>,
  source: SourceDocument,
  problemsWith: (set: Readonly<Record<string, unknown>>) => readonly Problem[],
): ReadonlyMap<string, SourceLocation> {
  const places = new Map<string, SourceLocation>();
  const search = (path: readonly string[], part: unknown, problems: readonly Problem[]): void => {
    if (problems.length === 0 || typeof part !== 'object' || part === null || Array.isArray(part)) return;
    for (const [key, value] of Object.entries(part)) {
      const inside = [...path, key];
      const others = problemsWith(withoutField(set, inside));
      const caused = problems.filter(({ message }) => others.every((other) => other.message !== message));
      for (const problem of caused) {
        const at = problem.code === 'TB_SCHEMA_UNKNOWN_KEY' ? 'key' : 'value';
        places.set(problemKey(problem), source.locate(['set', ...inside], at));
      }
      search(inside, value, caused);
    }
  };
  search([], set, found);
  return places;
}

/** Equal for problems with the same place and message. */
export function problemKey({ message, ...place }: Problem): string {
  return `${formatLocation(place)}:${message}`;
}

export function isError({ severity }: Problem): boolean {
  return severity !== 'warning';
}
