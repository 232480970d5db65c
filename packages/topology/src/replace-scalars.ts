/** Replaces single values in a YAML or JSON text. The rest is unchanged, comments included. */
import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type { Path } from './source-document.ts';
import { type Aliases, aliasesOf } from './yaml-aliases.ts';

/**
 * @param text returned unchanged if not well-formed
 * @param isReplaced called with the path of each value that is neither map nor list. For an alias it is also called
 * when the alias refers to a map.
 * @param replacement the new value at all matching places
 */
export function replaceScalars(text: string, isReplaced: (path: Path) => boolean, replacement: string): string {
  const document = parseDocument(text, { stringKeys: true });
  if (document.errors.length > 0) return text;
  const { targets, faults } = aliasesOf(document);
  if (faults.length > 0) return text;
  const found = new Set<Node>();
  collect(targets, document.contents, [], isReplaced, found, 0);
  const ranges = [...found].flatMap(({ range }) => (range ? [[range[0], range[1]] as const] : []));
  return ranges
    .sort(([a], [b]) => b - a)
    .reduce((changed, [start, end]) => {
      // The range of a block scalar ends after its last line.
      const ending = changed.slice(start, end).endsWith('\n') ? '\n' : '';
      return changed.slice(0, start) + JSON.stringify(replacement) + ending + changed.slice(end);
    }, text);
}

/** Max recursion depth: aliases can refer to maps that contain aliases. Our own files are far less deep. */
const maxDepth = 100;

function collect(
  targets: Aliases['targets'],
  node: unknown,
  path: Path,
  isReplaced: (path: Path) => boolean,
  found: Set<Node>,
  depth: number,
): void {
  if (depth > maxDepth) return;
  const inside = (child: unknown, step: string | number): void =>
    collect(targets, child, [...path, step], isReplaced, found, depth + 1);
  if (isMap(node)) for (const { key, value } of node.items) inside(value, String(isScalar(key) ? key.value : key));
  else if (isSeq(node)) node.items.forEach(inside);
  else if (isAlias(node)) {
    if (isReplaced(path)) found.add(node);
    // The target of the alias is elsewhere in the text.
    collect(targets, targets.get(node), path, isReplaced, found, depth + 1);
  } else if (isScalar(node) && isReplaced(path)) found.add(node);
}
