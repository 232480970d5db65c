/**
 * A YAML or JSON text with the place of every value. Parsing never throws: syntax errors are returned as problems with
 * their place.
 */
import type { Problem, SourceLocation } from '@topo-bench/core';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';

/** Keys and indexes from the root of a document to a value in it. */
export type Path = readonly (string | number)[];

/** A text, and the file name for its problems. */
export interface SourceText {
  readonly text: string;
  readonly file: string;
}

export interface SourceDocument {
  file: string;
  /** The contents as plain data; undefined when the text is not well-formed. */
  value: unknown;
  /** `TB_FILE_SYNTAX`, in order of place. */
  problems: Problem[];
  /**
   * Place of the value at that path, or of its key. If the path does not exist: the place of its deepest existing part.
   */
  locate(path: Path, part?: 'key' | 'value'): SourceLocation;
}

/** Max nesting depth: deeper input is a mistake or an attack. Our own files are far less deep. */
const maxDepth = 100;

const tooDeep = `nested more than ${maxDepth} levels deep`;

/** Max nodes that aliases may expand to: the YAML library's guard against exponential expansion. */
const maxAliasCount = 100;

/** Parsing takes most of the time of reading a large file, and each file is read for its rules and for its graph. */
const parsed = new WeakMap<SourceText, SourceDocument>();

/**
 * Reads YAML 1.2, including JSON. Rejects multiple documents, duplicate keys and keys that are not strings. The same
 * object is parsed once: callers must not change the value.
 */
export function parseSource(source: SourceText): SourceDocument {
  const document = parsed.get(source) ?? parse(source);
  parsed.set(source, document);
  return document;
}

function parse({ text, file }: SourceText): SourceDocument {
  const lines = new LineCounter();
  const place = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const failed = (problems: Problem[]): SourceDocument => ({
    file,
    value: undefined,
    problems,
    locate: () => place(0),
  });
  const failure = (message: string, offset = 0): Problem => ({ ...place(offset), code: 'TB_FILE_SYNTAX', message });

  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
    const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
    // Further errors mostly follow from the first one: a text that is no YAML has one in every other line.
    if (broken) return failed([{ ...failure(wording(broken.message), broken.pos[0]), ...hintFor(file) }]);
    const faults = [...document.errors, ...document.warnings].map((fault) =>
      failure(wording(fault.message), fault.pos[0]),
    );
    faults.push(
      ...danglingAliases(document).map((alias) =>
        failure(`no anchor before it is named "${alias.source}"`, start(alias)),
      ),
    );
    if (faults.length > 0) return failed(faults);
    if (document.contents === null) return failed([failure('the file is empty')]);
    const value: unknown = document.toJS({ maxAliasCount });
    if (isDeeperThan(value, maxDepth)) return failed([failure(`${tooDeep}, or an alias that contains itself`)]);
    return { file, value, problems: [], locate: (path, part) => place(offsetOf(document, path, part)) };
  } catch (error) {
    if (error instanceof ReferenceError) return failed([failure(`aliases cannot be resolved: ${error.message}`)]);
    if (error instanceof RangeError) return failed([failure(tooDeep)]);
    throw error;
  }
}

function hintFor(file: string): Pick<Problem, 'hint'> {
  return /\.(ya?ml|json)$/i.test(file) ? {} : { hint: 'name a YAML or JSON file' };
}

/** Rewords a stack overflow in the recursion of the library, which it reports in its list of errors. */
function wording(message: string): string {
  return /call stack/i.test(message) ? tooDeep : message;
}

/** Aliases without an anchor. The library detects them only during resolution, without a place. */
function danglingAliases(document: Document): Alias[] {
  const dangling: Alias[] = [];
  let seen = 0;
  visit(document, {
    Alias: (_, alias) => {
      // Each lookup scans the whole document. Files with more aliases are rejected anyway.
      if (++seen > maxAliasCount) return visit.BREAK;
      if (!alias.resolve(document)) dangling.push(alias);
      return undefined;
    },
  });
  return dangling;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

function offsetOf(document: Document, path: Path, part: 'key' | 'value' = 'value'): number {
  let node = resolved(document.contents, document);
  let offset = start(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    const wantsKey = part === 'key' && depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find((item) => keyText(item) === String(step));
      if (!pair) return offset;
      const key = start(pair.key) ?? offset;
      offset = wantsKey ? key : (start(pair.value) ?? key);
      node = resolved(pair.value, document);
    } else if (isSeq(node) && node.items[Number(step)] !== undefined) {
      const item = node.items[Number(step)];
      offset = start(item) ?? offset;
      node = resolved(item, document);
    } else return offset;
  }
  return offset;
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function keyText({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function start(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
