/**
 * Any file of ours against its schema: topology, rules, experiment. All problems at once, each with its place, and what
 * can be used of a file with faults, so that later checks still report what they find.
 */
import type { Problem } from '@topo-bench/core';
import type { z } from 'zod';
import { type Finding, inReadingOrder, toProblem } from './finding.ts';
import { schemaFindings } from './schema-findings.ts';
import { parseSource, type SourceDocument } from './source-document.ts';
import { valueAt } from './value-at.ts';

export interface ReadDocument<T> {
  /** Units read, defaults filled in; absent when there is any problem. */
  value?: T;
  problems: Problem[];
}

/** What a schema makes of a value. */
export interface CheckedValue<T> {
  value?: T;
  /**
   * With findings only: the value without its faulty optional fields. Good for checks that report more, never for use:
   * absent when something required is at fault.
   */
  partial?: T;
  findings: Finding[];
}

/** Reads a text against a schema; `file` is the name that problems carry. */
export function readDocument<T extends z.ZodType>(schema: T, text: string, file: string): ReadDocument<z.output<T>> {
  const source = parseSource({ text, file });
  if (source.problems.length > 0) return { problems: source.problems };
  const { value, findings } = checkValue(schema, source.value);
  return { ...(findings.length === 0 ? { value: value as z.output<T> } : {}), problems: problemsOf(findings, source) };
}

/**
 * The `kind` that a file states (`Topology`, `Rules`, `Experiment`, or what it says); undefined when it states none.
 */
export function documentKind(text: string): string | undefined {
  const kind = valueAt(parseSource({ text, file: '' }).value, ['kind']);
  return typeof kind === 'string' ? kind : undefined;
}

/** Findings as problems in reading order. */
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
 * The value without the members at fault (or that lack a key); undefined when the fault is an element of a list or the
 * whole.
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
