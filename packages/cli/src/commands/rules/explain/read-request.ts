/** Reads the request that `rules explain` decides. A file of another kind is one problem. */
import type { Problem, RequestFacts } from '@topo-bench/core';
import { ruleExample } from '@topo-bench/core/schema/rules';
import { problemsError } from '@topo-bench/experiment';
import { readText } from '@topo-bench/experiment/read-inputs';
import { parseSource, readDocument, type SourceText } from '@topo-bench/topology';

const { request } = ruleExample.shape;

/** @throws TopoBenchError `TB_FILE_NOT_FOUND`, or the code of its first problem with all of them */
export async function readRequest(path: string): Promise<RequestFacts> {
  const source = await readText(path);
  const other = otherKind(source);
  if (other) throw problemsError(source.file, [other]);
  const { value, problems } = readDocument(request, source.text, source.file);
  if (!value) throw problemsError(source.file, problems);
  return { ...value, class: value.class ?? 'example' };
}

/** The problem of a file with a kind, or without any field of a request. */
function otherKind(source: SourceText): Problem | undefined {
  const { value, locate } = parseSource(source);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = Object.keys(request.shape);
  const keys = Object.keys(value);
  const { kind } = value as { kind?: unknown };
  if (kind === undefined && (keys.length === 0 || keys.some((key) => fields.includes(key)))) return undefined;
  const received = kind === undefined ? `has no field of a request` : `is of kind ${String(kind)}, expected a request`;
  return {
    ...locate(['kind'], 'key'),
    code: 'TB_SCHEMA_INVALID',
    message: `the file ${received}`,
    hint: `a request has some of the fields ${fields.join(', ')}`,
  };
}
