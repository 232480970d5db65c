/**
 * Converts the issues of a schema to findings with readable messages. Each unknown key is reported at its place with a
 * suggestion. A value with several possible forms gets the faults of the intended form.
 */
import { type ErrorCode, formatPlace, nearestName, suggestName } from '@topo-bench/core';
import type { IssueDetails } from '@topo-bench/core/schema/quantities';
import type { z } from 'zod';
import { describeValue, typeNoun } from './describe-value.ts';
import type { Finding } from './finding.ts';
import { fieldsAt } from './schema-fields.ts';
import type { Path } from './source-document.ts';
import { resolveUnion } from './union-issue.ts';
import { valueAt } from './value-at.ts';

export type Issue = z.core.$ZodIssue;

/** @param document the value that the schema was applied to */
export function schemaFindings(schema: z.ZodType, issues: readonly Issue[], document: unknown): Finding[] {
  const kind = otherKind(issues, document);
  if (kind) return [kind];
  return issues.flatMap((issue) => toFindings(issue, schema, document));
}

/** The use of each kind of file. */
const useOfKind: Readonly<Record<string, string>> = {
  Topology: '`topo-bench up` starts a topology; an experiment names one and the factors that vary',
  Rules: '`topo-bench rules test` and `rules explain` take rules; a topology names them',
  Experiment: '`topo-bench run` takes an experiment',
  Calibration: '`topo-bench simulate` takes a calibration',
};

/** The single finding about a file of another kind. Other differences follow from it. */
function otherKind(issues: readonly Issue[], document: unknown): Finding | undefined {
  const issue = issues.find(({ code, path }) => code === 'invalid_value' && path.length === 1 && path[0] === 'kind');
  if (issue?.code !== 'invalid_value' || !isMap(document)) return undefined;
  const [expected] = issue.values.map(String) as [string];
  const { kind, apiVersion } = document;
  const hintOfGraph = callGraphHint(document);
  if (hintOfGraph !== undefined) return callGraph(expected, hintOfGraph);
  if (kind === undefined) return apiVersion === undefined ? withoutKind(expected, document) : undefined;
  // A misspelt kind is a problem of its own.
  if (nearestName(String(kind), [expected]) !== undefined) return undefined;
  const hint = Object.hasOwn(useOfKind, String(kind)) ? useOfKind[String(kind)] : useOfKind[expected];
  const received = typeof kind === 'string' ? kind : describeValue(kind);
  return {
    path: ['kind'],
    code: 'TB_SCHEMA_INVALID',
    message: `the file is of kind ${received}, expected ${expected}`,
    hint,
  };
}

/**
 * The hint at a graph of calls, as isotope (a load generator of Istio) has it in its example `canonical.yaml`;
 * undefined for other contents.
 */
export function callGraphHint(contents: unknown): string | undefined {
  if (!isMap(contents)) return undefined;
  const { kind, services } = contents;
  const entries: unknown[] = Array.isArray(services) ? services : [];
  const calls = entries.some((entry) => isMap(entry) && ('script' in entry || 'isEntrypoint' in entry));
  if (kind !== 'MockServiceMesh' && (kind !== undefined || !calls)) return undefined;
  return 'a topology has no calls: its `flow` visits each service once. Write the order of visits, with a service per caller where several call the same one';
}

function callGraph(expected: string, hint: string): Finding {
  return {
    path: [],
    code: 'TB_SCHEMA_INVALID',
    message: `the file is a graph of calls (isotope), expected kind ${expected}`,
    hint,
  };
}

function withoutKind(expected: string, document: Readonly<Record<string, unknown>>): Finding {
  const common = { path: [], code: 'TB_SCHEMA_MISSING_KEY' } as const;
  if ('plannedCells' in document) {
    const hint =
      'its folder is the run: `topo-bench report FOLDER` shows it, `topo-bench run --resume FOLDER` continues it';
    return { ...common, message: `the file is the record of a run, expected kind ${expected}`, hint };
  }
  return {
    ...common,
    message: `the file has neither "apiVersion" nor "kind", expected kind ${expected}`,
    hint: `begin it with \`apiVersion: topo-bench/v1\` and \`kind: ${expected}\`, or name another file`,
  };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Issues that a field has when its key is missing. */
const absences: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

function toFindings(issue: Issue, schema: z.ZodType, document: unknown): Finding[] {
  const path = issue.path as Path;
  const value = valueAt(document, path);
  const invalid = (message: string, hint?: string, code: ErrorCode = 'TB_SCHEMA_INVALID'): Finding[] => [
    { path, code, message: `${subject(path)}${message}`, hint },
  ];
  if (value === undefined && absences.has(issue.code)) return [missingKey(path, [])];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const others = Object.keys(value ?? {}).filter((name) => !issue.keys.includes(name));
        return unknownKey(path, key, fieldsAt(schema, path, others));
      });
    case 'invalid_union': {
      const resolved = resolveUnion(issue, document);
      if (resolved.kind === 'missing') return [missingKey([...path, resolved.keys[0]!], resolved.keys.slice(1))];
      if (resolved.kind === 'mismatch') {
        const { expected, values } = resolved;
        const [finding] = invalid(
          `expected ${list(expected)}, received ${describeValue(value)}`,
          suggestion(value, values),
        ) as [Finding];
        return [
          expected.includes(typeNoun('string')) && isPlain(value) ? { ...finding, unquoted: { value } } : finding,
        ];
      }
      return resolved.issues.flatMap((inner) => toFindings(inner, schema, document));
    }
    case 'invalid_type': {
      const [finding] = invalid(
        `expected ${typeNoun(issue.expected)}, received ${describeValue(value)}`,
        issue.expected === 'boolean' && isOldBoolean(value) ? booleanHint : undefined,
      ) as [Finding];
      return [issue.expected === 'string' && isPlain(value) ? { ...finding, unquoted: { value } } : finding];
    }
    case 'invalid_value':
      return invalid(
        `expected ${list(issue.values.map(quoted))}, received ${describeValue(value)}`,
        suggestion(value, issue.values),
      );
    case 'too_small':
      return invalid(
        `expected ${bound(issue.origin, issue.minimum, issue.inclusive, ['at least', 'more than'])}, received ${size(value)}`,
      );
    case 'too_big':
      return invalid(
        `expected ${bound(issue.origin, issue.maximum, issue.inclusive, ['at most', 'less than'])}, received ${size(value)}`,
      );
    case 'invalid_key': {
      const message = `${subject(path.slice(0, -1))}the key ${quoted(path.at(-1))}: ${issue.issues[0]?.message ?? 'is not allowed'}`;
      return [{ path, at: 'key', code: 'TB_SCHEMA_INVALID', message }];
    }
    case 'invalid_format':
      return invalid(`${issue.message}, received ${describeValue(value)}`);
    case 'custom': {
      const details = issue.params as IssueDetails | undefined;
      const received = details ? '' : `, received ${describeValue(value)}`;
      return invalid(`${issue.message}${received}`, details?.hint, details?.code);
    }
    default:
      return invalid(issue.message);
  }
}

function unknownKey(path: Path, key: string, known: readonly string[]): Finding {
  const place = path.length === 0 ? '' : ` in ${formatPlace(path)}`;
  return {
    path: [...path, key],
    at: 'key',
    code: 'TB_SCHEMA_UNKNOWN_KEY',
    message: `unknown key ${quoted(key)}${place}`,
    hint: suggestName(key, known, 'known keys'),
  };
}

function missingKey(path: Path, otherKeys: readonly string[]): Finding {
  const parent = path.slice(0, -1);
  const keys = [path.at(-1), ...otherKeys].map(quoted);
  const message = `${parent.length === 0 ? 'the file' : formatPlace(parent)} lacks the key ${list(keys)}`;
  return { path: parent, code: 'TB_SCHEMA_MISSING_KEY', message };
}

function subject(path: Path): string {
  return path.length === 0 ? '' : `${formatPlace(path)}: `;
}

function bound(
  origin: string,
  limit: number | bigint,
  inclusive: boolean | undefined,
  words: [string, string],
): string {
  const entries = origin === 'array' || origin === 'set' ? ' entries' : origin === 'string' ? ' characters' : '';
  return `${inclusive === false ? words[1] : words[0]} ${limit}${entries}`;
}

function size(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  return typeof value === 'number' ? String(value) : describeValue(value);
}

function suggestion(value: unknown, known: readonly unknown[]): string | undefined {
  const names = known.filter((name) => typeof name === 'string');
  return typeof value === 'string' && names.length > 0 ? suggestName(value, names) : undefined;
}

/** A number, a truth value or nothing, which would be a text in quotes. */
function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

const booleanHint = 'write true or false: yes, no, on and off are texts in YAML 1.2';

function isOldBoolean(value: unknown): boolean {
  return typeof value === 'string' && /^(yes|no|on|off|y|n)$/i.test(value);
}

function quoted(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** `a`, `a or b`, `a, b or c`. */
function list(options: readonly string[]): string {
  const unique = [...new Set(options)];
  return unique.length < 2 ? unique.join('') : `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`;
}
