/** What a gate leaves for others to show: files that were asked for, and what GitHub Actions offers when it runs there. */
import { appendFile, writeFile } from 'node:fs/promises';
import { type GateResult, gateAnnotations, gateJunit, gateMarkdown } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import { note, printLine } from '../../output.ts';
import type { GateFlags } from './options.ts';

export async function publish(result: GateResult, { junit, markdown, allowUndecided, json }: GateFlags): Promise<void> {
  if (junit !== undefined) await write(junit, gateJunit(result, { allowUndecided: allowUndecided === true }));
  if (markdown !== undefined) await write(markdown, gateMarkdown(result));
  if (process.env.GITHUB_ACTIONS === 'true') {
    // The runner reads commands from both streams; standard output must stay one document with --json.
    for (const line of gateAnnotations(result)) (json ? note : printLine)(line);
  }
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) {
    await appendFile(summary, gateMarkdown(result)).catch((error: Error) => {
      note(`warning: no job summary: ${error.message}`);
    });
  }
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((cause: Error) => {
    throw new TopoBenchError('TB_FILE_NOT_WRITABLE', `cannot write ${path}: ${cause.message}`, { cause });
  });
}
