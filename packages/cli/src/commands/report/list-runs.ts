/** The list form of `report`: runs with the figures of equal cells over time. */
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import {
  findRunFolders,
  isFolderOfRuns,
  readRunList,
  runListJson,
  runListPage,
  runListText,
} from '@topo-bench/report/run-list';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { jsonText, printLine, terminal } from '../../output.ts';
import { writeNamedFile } from '../../write-file.ts';
import type { ReportFlags } from './options.ts';

/** Whether a list was requested: by `--list`, or by a folder that contains runs. */
export async function isListOfRuns(folders: readonly string[], { list }: ReportFlags): Promise<boolean> {
  if (list === true) return true;
  const found = await Promise.all(folders.map(isFolderOfRuns));
  return found.includes(true);
}

/** @throws TopoBenchError `TB_USAGE` for a form that a list does not have; those of `findRunFolders` */
export async function listRuns(folders: readonly string[], flags: ReportFlags): Promise<void> {
  const format = flags.json ? 'json' : flags.format;
  if (format === 'md' || format === 'csv' || format === 'parquet') {
    throw new TopoBenchError('TB_USAGE', `--format ${format}: got a list of runs, expected one of html, table, json`, {
      hint: 'name single run folders, or choose another format',
    });
  }
  if (flags.published !== undefined) {
    throw new TopoBenchError('TB_USAGE', '--published: got a list of runs, expected single runs', {
      hint: 'a list has no place for published figures: name run folders, without --list',
    });
  }
  const path = flags.out ?? (await pagePath(folders));
  const list = await readRunList(await findRunFolders(folders), studyReportOf, studyMetrics);
  if (format === 'html') {
    if (path === undefined) {
      throw new TopoBenchError('TB_USAGE', 'the page of a list of several folders needs --out', {
        hint: 'name a file: --out runs.html',
      });
    }
    await writeNamedFile(path, runListPage(list, path));
    return printLine(path);
  }
  const text = format === 'json' ? jsonText(runListJson(list)) : runListText(list, terminalFor(flags));
  if (flags.out === undefined) return void process.stdout.write(text);
  await writeNamedFile(flags.out, text);
  printLine(flags.out);
}

/** The page of one folder of runs is in that folder. */
async function pagePath([folder, ...others]: readonly string[]): Promise<string | undefined> {
  if (folder === undefined || others.length > 0 || !(await isFolderOfRuns(folder))) return undefined;
  return join(folder, 'index.html');
}

function terminalFor({ out }: ReportFlags): { columns: number; colours: boolean } {
  return out === undefined ? terminal() : { columns: 120, colours: false };
}
