/** The call of the command line tool that repeats an answer: as words for a record, and as a line for a shell. */
import { parsedValue } from '../../option-values.ts';

export interface Chosen {
  set?: Record<string, unknown> | undefined;
  only?: Record<string, string[]> | undefined;
  repetitions?: number | undefined;
}

/** The flags of these choices. */
export function choiceWords({ set = {}, only = {}, repetitions }: Chosen): string[] {
  return [
    ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${valueText(value)}`]),
    ...Object.entries(only).flatMap(([name, levels]) => ['--only', `${name}=${levels.join(',')}`]),
    ...optionWords({ repetitions }),
  ];
}

/** Flags by name, of those that have a value; true is a flag alone. */
export function optionWords(options: Record<string, string | number | boolean | undefined>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
}

/** The text that the command line reads as this value: `"200"` for a text that looks like a number. */
function valueText(value: unknown): string {
  return typeof value === 'string' && parsedValue(value) === value ? value : JSON.stringify(value);
}
