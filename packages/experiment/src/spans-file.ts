/** Traced spans of a repetition: `spans/<as its samples>.ndjson` in the run folder, one span per line. */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Span } from '@topo-bench/core';
import { TopoBenchError } from '@topo-bench/core';
import { systemErrorText } from '@topo-bench/core/system-error';

/** Writes nothing when there are no spans. @param samplesPath of the repetition, relative to the folder */
export async function writeSpans(folder: string, samplesPath: string, spans: readonly Span[]): Promise<void> {
  if (spans.length === 0) return;
  const path = join(folder, 'spans', `${basename(samplesPath, '.parquet')}.ndjson`);
  try {
    await mkdir(join(folder, 'spans'), { recursive: true });
    await writeFile(path, spans.map((span) => `${JSON.stringify(span)}\n`).join(''));
  } catch (cause) {
    const full = (cause as NodeJS.ErrnoException).code === 'ENOSPC';
    const code = full ? 'TB_RUN_FOLDER_DISK_FULL' : 'TB_RUN_FOLDER_NOT_WRITABLE';
    throw new TopoBenchError(code, `cannot write ${path}: ${systemErrorText(cause)}`, { cause });
  }
}
