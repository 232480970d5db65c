/** The verdict for other tools: JUnit and Markdown files, and annotations and a job summary for GitHub Actions. */
import { appendFile } from 'node:fs/promises';
import type { GateResult } from '@topo-bench/comparison';
import { systemErrorText } from '@topo-bench/core';
import { gateAnnotations, gateJunit, gateMarkdown } from '@topo-bench/report/gate';
import { note, printLine } from '../output.ts';
import { writeFileAndFolders } from '../write-file.ts';
import type { VerdictFlags } from './verdict-files.ts';

export interface PublishFlags extends VerdictFlags {
  allowUndecided?: boolean;
  json?: boolean;
}

/**
 * An output that cannot be written does not take the others with it.
 * @throws TopoBenchError `TB_FILE_NOT_WRITABLE` for the first such file, after all other outputs
 */
export async function publish(
  result: GateResult,
  { junit, markdown, allowUndecided, json }: PublishFlags,
): Promise<void> {
  const files = await Promise.allSettled([
    junit !== undefined && writeFileAndFolders(junit, gateJunit(result, { allowUndecided: allowUndecided === true })),
    markdown !== undefined && writeFileAndFolders(markdown, gateMarkdown(result)),
  ]);
  if (process.env.GITHUB_ACTIONS === 'true') {
    // GitHub Actions reads both streams; with --json, standard output stays one document.
    for (const line of gateAnnotations(result)) (json ? note : printLine)(line);
  }
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) {
    await appendFile(summary, gateMarkdown(result)).catch((error: unknown) => {
      note(`warning: no job summary: cannot write ${summary}: ${systemErrorText(error)}`);
    });
  }
  const failed = files.find((file) => file.status === 'rejected');
  if (failed) throw failed.reason;
}
