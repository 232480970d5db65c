/**
 * Checks a topology, rule or experiment file against its schema. Reports all problems at once, each with its place. The
 * usable part of a faulty file is returned for later checks.
 */
import type { Problem } from '@topo-bench/core';
import type { z } from 'zod';
import { type Finding, inReadingOrder, toProblem } from './finding.ts';
import { schemaFindings } from './schema-findings.ts';
import { parseSource, type SourceDocument } from './source-document.ts';
import { valueAt } from './value-at.ts';

export interface ReadDocument<T> {
  /** The value with units and defaults applied; absent when there is any problem. */
  value?: T;
  problems: Problem[];
}

/** Result of a schema check. */
export interface CheckedValue<T> {
  value?: T;
  /**
   * Present with findings only: the value without its faulty optional fields. Absent when a required field is faulty.
   * For further checks only, never for use.
   */
  partial?: T;
  findings: Finding[];
}

/** Reads a text and checks it against a schema. `file` is the file name in problems. */
export function readDocument<T extends z.ZodType>(schema: T, text: string, file: string): ReadDocument<z.output<T>> {
  const source = parseSource({ text, file });
  if (source.problems.length > 0) return { problems: source.problems };
  const { value, findings } = checkValue(schema, source.value);
  return { ...(findings.length === 0 ? { value: value as z.output<T> } : {}), problems: problemsOf(findings, source) };
}

/** The `kind` in the file (`Topology`, `Rules`, `Experiment` or any other value); undefined if absent. */
export function documentKind(text: string): string | undefined {
  const kind = valueAt(parseSource({ text, file: '' }).value, ['kind']);
  return typeof kind === 'string' ? kind : undefined;
}

/** Converts findings to problems in reading order. */
export function problemsOf(findings: readonly Finding[], source: SourceDocument): Problem[] {
  return inReadingOrder(findings.map((finding) => toProblem(finding, source)));
}

/** Applies a schema to plain data. */
export function checkValue<T extends z.ZodType>(schema: T, value: unknown): CheckedValue<z.output<T>> {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data, findings: [] };
  const findings = schemaFindings(schema, result.error.issues, value);
  const rest = withoutFaults(value, findings);
  const partial = rest === undefined ? undefined : schema.safeParse(rest);
  return { findings, ...(partial?.success ? { partial: partial.data } : {}) };
}

/**
 * The value without members that are faulty or incomplete. Undefined when the fault is in a list element or the root.
 */
function withoutFaults(value: unknown, findings: readonly Finding[]): unknown {
  const rest = structuredClone(value);
  for (const { path } of findings) {
    const parent = valueAt(rest, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof key !== 'string' || typeof parent !== 'object' || parent === null) return undefined;
    delete (parent as Record<string, unknown>)[key];
  }
  return rest;
}
