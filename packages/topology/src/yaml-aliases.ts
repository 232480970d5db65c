/**
 * The aliases of a YAML document: the values that they stand for, and how many values a document has once they are
 * written out. A list of ten aliases, nested ten times, is ten billion values in a kilobyte. One anchor with a thousand
 * aliases is a file as people write it.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  visit,
} from 'yaml';

/** Max values that all aliases of a document stand for. */
const maxAliasedValues = 100_000;

export interface Aliases {
  /** The value of each alias: the last node before it with that anchor. */
  targets: ReadonlyMap<Alias, Node>;
  faults: { alias: Alias; message: string; hint?: string }[];
}

/** O(nodes of the document). */
export function aliasesOf(document: Document): Aliases {
  const targets = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  const faults: Aliases['faults'] = [];
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target) targets.set(node, target);
        else faults.push({ alias: node, message: `no anchor before it is named "${node.source}"` });
      } else if (node.anchor) anchors.set(node.anchor, node);
    },
  });
  return { targets, faults: faults.length > 0 ? faults : sizeFaults(targets) };
}

/**
 * The contents of a document with string keys as plain data; aliases of one anchor share their value. The library
 * searches all anchors of the document for each alias.
 */
export function plainData(contents: unknown, { targets }: Pick<Aliases, 'targets'>): unknown {
  const known = new Map<Node, unknown>();
  const plain = (node: unknown): unknown => {
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map(plain);
    if (isMap(node)) {
      // A key `__proto__` is a member like any other.
      return Object.fromEntries(
        node.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), plain(value)]),
      );
    }
    const target = isAlias(node) ? targets.get(node) : undefined;
    if (target === undefined) return null;
    if (!known.has(target)) known.set(target, plain(target));
    return known.get(target);
  };
  return plain(contents);
}

function sizeFaults(targets: ReadonlyMap<Alias, Node>): Aliases['faults'] {
  const known = new Map<Node, number>();
  const open = new Set<Node>();
  const valuesIn = (node: unknown): number => {
    if (isPair(node)) return valuesIn(node.value);
    if (isAlias(node)) return valuesOf(targets.get(node) as Node);
    return isCollection(node) ? node.items.reduce<number>((sum, item) => sum + valuesIn(item), 1) : 1;
  };
  /** Infinite for a value that contains itself. */
  const valuesOf = (target: Node): number => {
    if (open.has(target)) return Number.POSITIVE_INFINITY;
    open.add(target);
    const values = known.get(target) ?? valuesIn(target);
    open.delete(target);
    known.set(target, values);
    return values;
  };
  let sum = 0;
  for (const [alias, target] of targets) {
    const values = valuesOf(target);
    if (values === Number.POSITIVE_INFINITY) return [{ alias, message: `the alias "${alias.source}" contains itself` }];
    sum += values;
    if (sum <= maxAliasedValues) continue;
    const limit = maxAliasedValues.toLocaleString('en');
    const message = `with the alias "${alias.source}" the file has more than ${limit} values behind aliases`;
    return [{ alias, message, hint: 'generate services and rules with `generate` or `forEach`' }];
  }
  return [];
}
