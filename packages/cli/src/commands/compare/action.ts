/** The work of `compare`: run folders in, one answer out. */
import { cellDocument, compareRuns, compareWithin, type RunComparison, withoutInfinities } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import { openRun } from '@topo-bench/results';
import { printJson, printLine } from '../../output.ts';
import { comparisonCsv } from './comparison-csv.ts';
import { comparisonMarkdown } from './comparison-markdown.ts';
import { comparisonTable } from './comparison-table.ts';
import type { CompareFlags } from './options.ts';

export interface ComparedRuns {
  comparison: RunComparison;
  /** What stands against what, as a title. */
  title: string;
}

export async function compare(runs: readonly string[], flags: CompareFlags): Promise<void> {
  const found = flags.within === undefined ? await acrossRuns(runs, flags) : await insideRun(runs, flags.within, flags);
  const { notes, measuredAgain } = found.comparison;
  const compared = { ...found, comparison: { ...found.comparison, notes: [...notes, ...measuredAgain] } };
  const format = flags.json ? 'json' : flags.format;
  if (format === 'json') return printJson(document(runs, compared.comparison));
  const colours = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const table = { columns: process.stdout.columns ?? 120, colours };
  if (format === 'table') return printLine(comparisonTable(compared, table));
  process.stdout.write(format === 'md' ? comparisonMarkdown(compared) : comparisonCsv(compared.comparison));
}

async function acrossRuns(runs: readonly string[], { metric, effect, reference }: CompareFlags): Promise<ComparedRuns> {
  const [from, to, ...more] = runs;
  if (from === undefined || to === undefined || more.length > 0) {
    throw new TopoBenchError('TB_USAGE', `compare takes two run folders, got ${runs.length}`, {
      hint:
        runs.length === 1
          ? 'add the candidate, or compare inside the run with --within architecture'
          : 'baseline first, then candidate',
    });
  }
  if (reference !== undefined)
    throw new TopoBenchError('TB_USAGE', '--reference needs --within: two runs have no reference level');
  const [baseline, candidate] = [await openRun(from), await openRun(to)];
  return {
    comparison: compareRuns(baseline, candidate, { ...(metric !== undefined && { metric }), effect }),
    title: `${to} against ${from}`,
  };
}

async function insideRun(
  runs: readonly string[],
  factor: string,
  { metric, effect, reference }: CompareFlags,
): Promise<ComparedRuns> {
  const [folder, ...more] = runs;
  if (folder === undefined || more.length > 0) {
    throw new TopoBenchError('TB_USAGE', `compare --within takes one run folder, got ${runs.length}`);
  }
  const options = { ...(metric !== undefined && { metric }), effect, ...(reference !== undefined && { reference }) };
  const comparison = compareWithin(await openRun(folder), factor, options);
  return { comparison, title: `${factor} against ${comparison.reference} in ${folder}` };
}

function document(runs: readonly string[], comparison: RunComparison): unknown {
  const { metric, effect, cells, notes, measuredAgain: _inNotes, ...within } = comparison;
  return withoutInfinities({
    runs,
    ...within,
    metric: metric.name,
    unit: metric.unit,
    effect,
    cells: cells.map(cellDocument),
    notes,
  });
}
