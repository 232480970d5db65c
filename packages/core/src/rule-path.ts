/**
 * Paths in conditions: member and index steps only, so that a rule file can never carry a JSONPath filter or script.
 * A step reaches own members of objects and arrays alone (`$.tags.length` is the length); from anything else,
 * and where the member is missing, the value is `undefined`. `__proto__` and `constructor` are ordinary names.
 */

const plainNames = /^\$(?:\.[\w$-]+)*$/;
// Made when first needed: to look up the letters of all scripts takes a third of a millisecond, and a hundred roles
// start together.
let step: RegExp | undefined;

/**
 * Reads `$`, `$.payload.email`, `$.categories[0]` or `$.payload['a b']` into the names of its steps.
 * @returns the names (an index as its decimal text); undefined when the text holds anything else
 */
export function parseRulePath(path: string): string[] | undefined {
  if (plainNames.test(path)) return path.split('.').slice(1);
  if (!path.startsWith('$')) return undefined;
  const names: string[] = [];
  // One step: `.name` (letters, digits, `_`, `$`, `-`), `[0]`, `['any name']` or `["any name"]` with \ as escape.
  step ??= /\.([\p{L}\p{N}_$-]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/uy;
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) return undefined;
    const [, plain, index, single, double] = match;
    names.push(plain ?? index?.replace(/^0+(?=\d)/, '') ?? (single ?? double ?? '').replace(/\\(.)/g, '$1'));
  }
  return names;
}
