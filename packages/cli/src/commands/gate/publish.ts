/** The verdict for other tools: JUnit and Markdown files, and annotations and a job summary for GitHub Actions. */
import { appendFile } from 'node:fs/promises';
import type { GateResult } from '@topo-bench/comparison';
import { gateAnnotations, gateJunit, gateMarkdown } from '@topo-bench/report/gate';
import { note, printLine } from '../../output.ts';
import { writeNamedFile } from '../../write-file.ts';
import type { GateFlags } from './options.ts';

export async function publish(result: GateResult, { junit, markdown, allowUndecided, json }: GateFlags): Promise<void> {
  if (junit !== undefined) await writeNamedFile(junit, gateJunit(result, { allowUndecided: allowUndecided === true }));
  if (markdown !== undefined) await writeNamedFile(markdown, gateMarkdown(result));
  if (process.env.GITHUB_ACTIONS === 'true') {
    // GitHub Actions reads both streams; with --json, standard output stays one document.
    for (const line of gateAnnotations(result)) (json ? note : printLine)(line);
  }
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) {
    await appendFile(summary, gateMarkdown(result)).catch((error: Error) => {
      note(`warning: no job summary: ${error.message}`);
    });
  }
}
