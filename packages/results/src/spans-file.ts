/** The spans file of a traced repetition: `spans/<name of its samples>.ndjson` in the run folder, one span per line. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type RunFolder, type Span, type SpanKind, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { folderError } from './folder-error.ts';
import { makeFolder, privateFile } from './make-folder.ts';
import { pathInRun } from './path-in-run.ts';

const spansFolderName = 'spans';
const kinds: readonly SpanKind[] = ['parsed', 'queued', 'decide', 'call', 'work', 'link'];

/**
 * Writes the spans of a repetition; no file for an empty list.
 * @param samplesPath path of the repetition's samples, relative to the folder
 * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `TB_RUN_FOLDER_NOT_WRITABLE`, …
 */
export async function writeSpans(folder: string, samplesPath: string, spans: readonly Span[]): Promise<void> {
  if (spans.length === 0) return;
  const path = join(folder, spansPath(samplesPath));
  await makeFolder(join(folder, spansFolderName));
  try {
    await writeFile(path, spans.map((span) => `${JSON.stringify(span)}\n`).join(''), { mode: privateFile });
  } catch (error) {
    throw folderError('write', path, error);
  }
}

/**
 * Reads the spans of a repetition, or of a superseded measurement, in the order written. Empty when it was not traced.
 * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED` with the line of the file
 */
export async function readSpans(
  { folder }: Pick<RunFolder, 'folder'>,
  { samples }: Pick<Cell, 'samples'>,
): Promise<Span[]> {
  if (samples === undefined) return [];
  const path = pathInRun(folder, spansPath(samples));
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw folderError('read', path, error);
  });
  const lines = text.split('\n');
  if (lines.pop() !== '') throw damaged(path, lines.length + 1, 'it is cut off');
  return lines.map((line, at) => spanOf(line) ?? throwing(damaged(path, at + 1, 'it is not a span')));
}

function spansPath(samplesPath: string): string {
  return `${spansFolderName}/${basename(samplesPath, '.parquet')}.ndjson`;
}

function spanOf(line: string): Span | undefined {
  try {
    const span = JSON.parse(line) as Span;
    const texts = [span.id, span.role, span.service].every((one) => typeof one === 'string');
    const times = [span.startUs, span.durationUs].every((one) => typeof one === 'number');
    return texts && times && kinds.includes(span.kind) ? span : undefined;
  } catch {
    return undefined;
  }
}

function damaged(path: string, line: number, why: string): TopoBenchError {
  return new TopoBenchError('TB_RUN_FOLDER_DAMAGED', `cannot read a span: ${why}`, {
    location: { file: path, line, column: 1 },
    hint: 'the figures of cells.json do not need it; only analyses of spans do',
  });
}

function throwing(error: TopoBenchError): never {
  throw error;
}
