/**
 * Exposure: bytes of data that a step must not get and that had nevertheless reached its node before the decision, unless an
 * earlier permitted step had put them there. The message carries what this takes: the nodes that the
 * original data has reached, and what permitted copies on each node lack.
 */

/** What a target must not get: all of the payload, or the values at these JSON pointers (RFC 6901). */
export type Withheld = 'everything' | readonly string[];

/** By node index: for each permitted copy there, the pointers that it lacks. A complete copy is `[]`, and makes others needless. */
export type PlacedCopies = Record<number, string[][]>;

/** Notes that a permitted step has put a copy on a node. */
export function placeCopy(placed: PlacedCopies, node: number, lacking: readonly string[]): void {
  const copies = placed[node];
  if (lacking.length === 0) placed[node] = [[]];
  else if (!copies) placed[node] = [[...lacking]];
  else if (!copies.some((copy) => copy.every((pointer) => lacking.includes(pointer)))) copies.push([...lacking]);
}

/** Adds the copies of a branch to those of the flow that it forked from. */
export function mergeCopies(into: PlacedCopies, from: PlacedCopies): void {
  for (const [node, copies] of Object.entries(from)) {
    for (const lacking of copies) placeCopy(into, Number(node), lacking);
  }
}

/**
 * Adds the exposure of one decision to `bytes`, by category. A value has the category of its payload field and counts with the
 * UTF-8 bytes of its text, or of its JSON when it is no text; fields without category do not count.
 * @param copies permitted copies on the target's node
 */
export function addExposure(
  bytes: Record<string, number>,
  payload: Readonly<Record<string, unknown>>,
  categories: Readonly<Record<string, string>>,
  withheld: Withheld,
  copies: readonly (readonly string[])[],
): void {
  for (const pointer of withheld === 'everything' ? Object.keys(payload).map(fieldPointer) : outermost(withheld)) {
    const path = steps(pointer);
    const category = Object.hasOwn(categories, path[0] as string) ? (categories[path[0] as string] as string) : undefined;
    if (category === undefined) continue;
    if (copies.some((lacking) => !lacking.some((other) => overlap(other, pointer)))) continue;
    const size = sizeBytes(valueAt(payload, path));
    if (size > 0) bytes[category] = (bytes[category] ?? 0) + size;
  }
}

function outermost(pointers: readonly string[]): string[] {
  return [...new Set(pointers)].filter((pointer) => !pointers.some((other) => pointer.startsWith(`${other}/`)));
}

function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function fieldPointer(field: string): string {
  return `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function steps(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function sizeBytes(value: unknown): number {
  if (value === undefined) return 0;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}
