/**
 * Errors that a choice of the command line causes. They have no place in a file, so they name the choice and its value.
 */
import { type Problem, TopoBenchError } from '@topo-bench/core';
import { quoteHint } from '@topo-bench/topology';
import { isError } from './problem-list.ts';

export interface NamedChoice {
  name: string;
  value: unknown;
}

/** A choice with the error that it causes. */
export interface RefusedChoice extends NamedChoice {
  fault: Pick<Problem, 'code' | 'message' | 'hint'>;
}

/**
 * The choice without which the first error is gone. Preferred is a choice whose absence causes no other error: one that
 * hides the error would be named wrongly. Errors that the files have without any choice are none of a choice; of
 * several choices, each is left out until one is found.
 * @param found all problems with all choices
 * @param problemsWith problems with these choices alone
 */
export function refusedChoice<Choice extends NamedChoice>(
  found: readonly Problem[],
  choices: readonly Choice[],
  problemsWith: (choices: readonly Choice[]) => readonly Problem[],
): RefusedChoice | undefined {
  const errors = found.filter(isError);
  if (errors.length === 0 || choices.length === 0) return undefined;
  const ofFiles = messagesOf(problemsWith([]));
  const caused = errors.filter(({ message }) => !ofFiles.has(message));
  const [fault] = caused;
  if (!fault) return undefined;
  const [only, ...more] = choices;
  if (only && more.length === 0) return { ...only, fault };

  const all = messagesOf(errors);
  let hiding: RefusedChoice | undefined;
  for (const choice of choices) {
    const others = messagesOf(problemsWith(choices.filter((one) => one !== choice)));
    const gone = caused.find(({ message }) => !others.has(message));
    if (!gone) continue;
    if ([...others].every((message) => all.has(message))) return { ...choice, fault: gone };
    hiding ??= { ...choice, fault: gone };
  }
  return hiding;
}

export function choiceError({ name, value, fault: { code, message, hint } }: RefusedChoice): TopoBenchError {
  const chosen = typeof value === 'string' ? value : JSON.stringify(value);
  // A choice such as `1e5` was parsed: its text is not known here, and a shell takes quotes away.
  const isParsed = hint === quoteHint(value);
  const ownHint = isParsed ? `write the text as JSON, in quotes for the shell: '${name}="…"'` : hint;
  return new TopoBenchError(
    code,
    `the choice ${name}=${chosen}: ${message}`,
    ownHint === undefined ? {} : { hint: ownHint },
  );
}

function messagesOf(problems: readonly Problem[]): Set<string> {
  return new Set(problems.filter(isError).map(({ message }) => message));
}
