/** The work of `compare`: run folders in, one table or document out. */
import { cellDocument, type RunComparison, withoutInfinities } from '@topo-bench/comparison';
import { printJson, printLine, terminal } from '../../output.ts';
import { comparedRuns } from './compared-runs.ts';
import { comparisonCsv } from './comparison-csv.ts';
import { comparisonMarkdown } from './comparison-markdown.ts';
import { comparisonTable } from './comparison-table.ts';
import type { CompareFlags } from './options.ts';

export async function action(runs: readonly string[], flags: CompareFlags): Promise<void> {
  const found = await comparedRuns(runs, flags);
  const { notes, measuredAgain } = found.comparison;
  const compared = { ...found, comparison: { ...found.comparison, notes: [...notes, ...measuredAgain] } };
  const format = flags.json ? 'json' : flags.format;
  if (format === 'json') return printJson(document(runs, compared.comparison));
  if (format === 'table') return printLine(comparisonTable(compared, terminal()));
  process.stdout.write(format === 'md' ? comparisonMarkdown(compared) : comparisonCsv(compared.comparison));
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
