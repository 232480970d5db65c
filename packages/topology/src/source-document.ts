/**
 * A YAML or JSON text with the place of every value. Parsing never throws: syntax errors are returned as problems with
 * their place.
 */
import type { Problem, SourceLocation } from '@topo-bench/core';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
} from 'yaml';
import { type Aliases, aliasesOf, plainData } from './yaml-aliases.ts';

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
  /** The plain text of that value as the file has it (`007`, `1e5`); undefined for a quoted or an absent one. */
  plainText(path: Path, value: unknown): string | undefined;
}

/** Max nesting depth: deeper input is a mistake or an attack. Our own files are far less deep. */
const maxDepth = 100;

const tooDeep = `nested more than ${maxDepth} levels deep`;

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
    plainText: () => undefined,
  });
  const failure = (message: string, offset = 0): Problem => ({ ...place(offset), code: 'TB_FILE_SYNTAX', message });

  // UTF-16, read as UTF-8, has a null byte next to every Latin letter.
  if (text.includes('\0')) return failed([{ ...failure(notUtf8), hint: utf16Hint }]);
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
    // In place of bytes that are no UTF-8: a rule about `é` would compare with another text.
    const undecoded = text.indexOf('\ufffd');
    if (undecoded >= 0) return failed([{ ...failure(undecodedText, undecoded), hint: latin1Hint }]);
    const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
    // Further errors mostly follow from the first one: a text that is no YAML has one in every other line.
    if (broken) return failed([{ ...failure(wording(broken.message), broken.pos[0]), ...hintFor(file) }]);
    const faults = [...document.errors, ...document.warnings].map((fault) =>
      failure(wording(fault.message), fault.pos[0]),
    );
    const aliases = aliasesOf(document);
    faults.push(
      ...aliases.faults.map(({ alias, message, hint }) => ({
        ...failure(message, start(alias)),
        ...(hint && { hint }),
      })),
      ...mergeKeys(document).map((key) => ({
        ...failure('a merge key (<<) is YAML 1.1', start(key)),
        hint: mergeHint,
      })),
    );
    if (faults.length > 0) return failed(faults);
    if (document.contents === null) return failed([failure('the file is empty')]);
    const value = plainData(document.contents, aliases);
    if (isDeeperThan(value, maxDepth)) return failed([failure(tooDeep)]);
    const root = { contents: document.contents, targets: aliases.targets };
    return {
      file,
      value,
      problems: [],
      locate: (path, part) => place(offsetOf(root, path, part)),
      plainText: (path, value) => plainTextOf(nodeAt(root, path), value),
    };
  } catch (error) {
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

const notUtf8 = 'the file is not UTF-8 text';
const utf16Hint = 'save it as UTF-8; a file in UTF-16 is converted by `iconv -f UTF-16 -t UTF-8`';
const undecodedText = 'got U+FFFD, which stands for bytes that are not UTF-8';
const latin1Hint = 'save the file as UTF-8; one in Latin-1 is converted by `iconv -f LATIN1 -t UTF-8`';

const mergeHint = 'write the keys out, or share a whole value: `key: *anchor`';

/** Keys that YAML 1.1 replaces by the members of their value. */
function mergeKeys(document: Document): Scalar[] {
  const found: Scalar[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.type === Scalar.PLAIN && key.value === '<<') found.push(key);
    },
  });
  return found;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

interface Root extends Pick<Aliases, 'targets'> {
  contents: unknown;
}

function offsetOf(root: Root, path: Path, part: 'key' | 'value' = 'value'): number {
  let node = resolved(root.contents, root);
  let offset = start(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    const wantsKey = part === 'key' && depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find((item) => keyText(item) === String(step));
      if (!pair) return offset;
      const key = start(pair.key) ?? offset;
      offset = wantsKey ? key : (start(pair.value) ?? key);
      node = resolved(pair.value, root);
    } else if (isSeq(node) && node.items[Number(step)] !== undefined) {
      const item = node.items[Number(step)];
      offset = start(item) ?? offset;
      node = resolved(item, root);
    } else return offset;
  }
  return offset;
}

function nodeAt(root: Root, path: Path): unknown {
  return path.reduce<unknown>(
    (node, step) => {
      if (isMap(node)) return resolved(node.items.find((item) => keyText(item) === String(step))?.value, root);
      return isSeq(node) ? resolved(node.items[Number(step)], root) : undefined;
    },
    resolved(root.contents, root),
  );
}

/** An override may have another value than the file. */
function plainTextOf(node: unknown, value: unknown): string | undefined {
  return isScalar(node) && node.type === Scalar.PLAIN && Object.is(node.value, value) ? node.source : undefined;
}

function resolved(node: unknown, { targets }: Root): unknown {
  return isAlias(node) ? targets.get(node) : node;
}

function keyText({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function start(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
