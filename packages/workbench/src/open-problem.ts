/** Problems of an opened file as a front end shows them: each has a place, also those of choices and missing files. */
import type { Problem, SourceLocation, TopoBenchError } from '@topo-bench/core';
import { choiceError, type RefusedChoice } from '@topo-bench/experiment/refuse-choices';

/** A problem of a text, or of a choice: that one is at the start of the file that was opened. */
export interface OpenProblem extends Problem {
  /** Name of the choice that causes it. */
  choice?: string;
}

/** Place of a field in the file that was opened. */
export type Locate = (path: readonly string[]) => SourceLocation;

export function problemOfChoice(refused: RefusedChoice, locate: Locate): OpenProblem {
  return { ...problemOf(choiceError(refused), locate([])), choice: refused.name };
}

/** @param leading field of the opened file that leads to others: the place of a missing one */
export function problemsOfFailure(failure: TopoBenchError, leading: string, locate: Locate): readonly Problem[] {
  if (failure.problems.length > 0) return failure.problems;
  return [problemOf(failure, locate(failure.code === 'TB_FILE_NOT_FOUND' ? [leading] : []))];
}

function problemOf({ code, message, hint, location }: TopoBenchError, place: SourceLocation): Problem {
  return { ...(location ?? place), code, message, ...(hint !== undefined && { hint }) };
}
