/**
 * Exposure: bytes of withheld data that had reached the node of a step before the decision. Data that an earlier
 * permitted step put there does not count. The message carries the nodes that the original data has reached, and the
 * pointers that permitted copies on each node lack.
 */
import { utf8Length } from '@topo-bench/core';

/** Data withheld from a target: the whole payload, or the values at these JSON pointers (RFC 6901). */
export type Withheld = 'everything' | readonly string[];

/**
 * By node index: for each permitted copy there, the pointers that it lacks. A complete copy is `[]`, and replaces all
 * others.
 */
export type PlacedCopies = Record<number, string[][]>;

/** Records that a permitted step has put a copy on a node. */
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
 * Adds the exposure of one decision to `bytes`, by category. A value has the category of its payload field. It counts
 * with the UTF-8 bytes of its text, or of its JSON when it is not text. Where permitted copies contain parts of a
 * value, only the members that all copies lack count, each by itself. Fields without category do not count.
 * @param copies permitted copies on the target's node
 */
export function addExposure(
  bytes: Record<string, number>,
  payload: Readonly<Record<string, unknown>>,
  categories: Readonly<Record<string, string>>,
  withheld: Withheld,
  copies: readonly (readonly string[])[],
): void {
  for (const pointer of withheld === 'everything'
    ? Object.keys(payload).map((field) => below('', field))
    : outermost(withheld)) {
    const path = steps(pointer);
    const category = Object.hasOwn(categories, path[0] as string)
      ? (categories[path[0] as string] as string)
      : undefined;
    if (category === undefined) continue;
    const size = exposedBytes(valueAt(payload, path), pointer, copies);
    if (size > 0) addBytes(bytes, category, size);
  }
}

/** Adds to the sum of a category; `__proto__` and `constructor` are ordinary categories. */
export function addBytes(bytes: Record<string, number>, category: string, added: number): void {
  const value = (Object.hasOwn(bytes, category) ? (bytes[category] as number) : 0) + added;
  Object.defineProperty(bytes, category, { value, writable: true, enumerable: true, configurable: true });
}

/** Bytes of a value, without those of its members that a copy contains. */
function exposedBytes(value: unknown, pointer: string, copies: readonly (readonly string[])[]): number {
  const holding = copies.filter(
    (lacking) => !lacking.some((other) => pointer === other || pointer.startsWith(`${other}/`)),
  );
  if (holding.length === 0) return sizeBytes(value);
  const isWhole = holding.some((lacking) => !lacking.some((other) => other.startsWith(`${pointer}/`)));
  if (isWhole || typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + exposedBytes(member, below(pointer, name), holding),
    0,
  );
}

function outermost(pointers: readonly string[]): string[] {
  return [...new Set(pointers)].filter((pointer) => !pointers.some((other) => pointer.startsWith(`${other}/`)));
}

function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function steps(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Own members only: the length of a list is not a member. */
function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.prototype.propertyIsEnumerable.call(value, step))
      return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function sizeBytes(value: unknown): number {
  if (value === undefined) return 0;
  return utf8Length(typeof value === 'string' ? value : JSON.stringify(value));
}
