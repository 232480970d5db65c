/** Formats values and types for messages. */

/** Formats a value for a message: short, without the contents of structures. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value) : `the ${typeof value} ${String(value)}`;
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** The noun for a type in messages. */
export function typeNoun(expected: string): string {
  const nouns: Record<string, string> = {
    string: 'a text',
    int: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a map',
    record: 'a map',
  };
  return nouns[expected] ?? expected;
}
