/**
 * Errors that a choice of the command line causes. They have no place in a file, so they name the choice and its value.
 */
import { type Problem, TopoBenchError } from '@topo-bench/core';

/** What a choice is, for errors about it. */
type FaultOfChoice = Pick<Problem, 'code' | 'message' | 'hint'>;

/**
 * Throws for the first error that is gone without one of the choices. Preferred is a choice whose absence causes no
 * other error: one that hides the error would be named wrongly.
 * @param found all problems with all choices
 * @param problemsWithout problems with all choices but this one
 * @throws TopoBenchError with the code of the error
 */
export function refuseChoices(
  found: readonly Problem[],
  choices: Readonly<Record<string, unknown>>,
  problemsWithout: (name: string) => readonly Problem[],
): void {
  const errors = found.filter(isError);
  if (errors.length === 0) return;
  const messages = new Set(errors.map(({ message }) => message));
  const suspects = Object.entries(choices).flatMap(([name, value]) => {
    const others = problemsWithout(name)
      .filter(isError)
      .map(({ message }) => message);
    const fault = errors.find(({ message }) => !others.includes(message));
    return fault ? [{ name, value, fault, hides: others.some((message) => !messages.has(message)) }] : [];
  });
  const cause = suspects.find(({ hides }) => !hides) ?? suspects[0];
  if (cause) throw choiceError(cause.name, cause.value, cause.fault);
}

export function choiceError(name: string, value: unknown, { code, message, hint }: FaultOfChoice): TopoBenchError {
  const chosen = typeof value === 'string' ? value : JSON.stringify(value);
  return new TopoBenchError(code, `the choice ${name}=${chosen}: ${message}`, hint === undefined ? {} : { hint });
}

function isError({ severity }: Problem): boolean {
  return severity !== 'warning';
}
