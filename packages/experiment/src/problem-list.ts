/** Problems of several files, in the order found. A problem of many cells is listed once. */
import { type ErrorCode, type Problem, TopoBenchError } from '@topo-bench/core';

export class ProblemList {
  readonly #problems = new Map<string, Problem>();

  add(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const key = `${problem.file}:${problem.line}:${problem.column}:${problem.message}`;
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

function isError({ severity }: Problem): boolean {
  return severity !== 'warning';
}
