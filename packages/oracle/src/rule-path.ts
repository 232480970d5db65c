/**
 * The oracle's own parser of paths in conditions: `$`, then steps `.name`, `[0]`, `['any name']` or `["any name"]`. The
 * engines have a separate one.
 */
import { TopoBenchError } from '@topo-bench/core/errors';

/**
 * @returns the names of the steps, indexes as decimal strings
 * @throws TopoBenchError `TB_RULES_PATH` for anything but member and index steps
 */
export function pathSteps(path: string): string[] {
  const characters = [...path];
  const refuse = (): never => {
    throw new TopoBenchError('TB_RULES_PATH', `invalid path ${JSON.stringify(path)}, expected member and index steps`);
  };
  if (characters.shift() !== '$') refuse();
  const steps: string[] = [];
  while (characters.length > 0) {
    const opening = characters.shift();
    if (opening === '.') steps.push(takeWhile(characters, isNameCharacter) || refuse());
    else if (opening !== '[') refuse();
    else {
      const isQuoted = characters[0] === "'" || characters[0] === '"';
      const step = isQuoted ? quotedName(characters) : indexText(takeWhile(characters, isDigit));
      if (step === undefined || characters.shift() !== ']') refuse();
      steps.push(step as string);
    }
  }
  return steps;
}

function takeWhile(characters: string[], belongs: (character: string) => boolean): string {
  const end = characters.findIndex((character) => !belongs(character));
  return characters.splice(0, end < 0 ? characters.length : end).join('');
}

function isNameCharacter(character: string): boolean {
  return character === '_' || character === '$' || character === '-' || /^[\p{L}\p{N}]$/u.test(character);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** The index without leading zeros. */
function indexText(digits: string): string | undefined {
  return digits === '' ? undefined : String(BigInt(digits));
}

/** Takes a quoted name. @returns undefined without a closing quote, or for a line break after a backslash */
function quotedName(characters: string[]): string | undefined {
  const quote = characters.shift();
  let name = '';
  for (let character = characters.shift(); character !== undefined; character = characters.shift()) {
    if (character === quote) return name;
    const literal = character === '\\' ? characters.shift() : character;
    if (literal === undefined || (character === '\\' && /[\n\r\u2028\u2029]/.test(literal))) return undefined;
    name += literal;
  }
  return undefined;
}
