/**
 * `npm run bench:gate [-- --collect-seconds 240] [--kind same|slower] [--json]`: how often the gate alarms falsely and what it finds, on measured
 * pairs of deployments of equal code and of such where one is a tenth slower; beside the rule that most tools gate by. The pairs are kept in
 * `pairs.csv`; collecting adds to them, on a machine that does nothing else.
 */
import { parseArgs } from 'node:util';
import { type Gates, judgePairs, type Row, wanted } from './judge-pairs.ts';
import { type Kind, readPairs } from './stored-pairs.ts';

const { values: flags } = parseArgs({
  options: {
    'collect-seconds': { type: 'string' },
    kind: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags['collect-seconds'] ?? 0);
if (seconds > 0) {
  const { collectPairs } = await import('./collect-pairs.ts');
  const shares: [Kind, number][] =
    flags.kind === undefined
      ? [
          ['same', 0.75 * seconds],
          ['slower', 0.25 * seconds],
        ]
      : [[flags.kind as Kind, seconds]];
  for (const [kind, share] of shares) await collectPairs(kind, share);
}
const stored = readPairs();
const rows = (['same', 'slower'] as const).map((kind) => judgePairs(stored, kind));
if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else for (const row of rows) print(row);

function print({ kind, pairs, leftOut, figures }: Row): void {
  const lines = [`${kind}: ${pairs} pairs, ${leftOut} left out`];
  if (figures) {
    const { changePercent, interval, spreadPercent, resampled, consecutive, fixed } = figures;
    lines.push(
      `  the candidate differs by ${percent(changePercent)} (${percent(interval[0])} … ${percent(interval[1])}); half of the pairs lie within ${percent(spreadPercent)} of that`,
      `  gates on resampled pairs: ${describe(resampled)}`,
      `  gates on pairs in a row:  ${describe(consecutive)}`,
      `  10% against the last run: ${fixed.alarms} of ${fixed.of} alarmed`,
    );
  }
  if (pairs < wanted[kind]) {
    lines.push(`  ${wanted[kind]} pairs are wanted; measure more: npm run bench:gate -- --collect-seconds 240 --kind ${kind}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function describe({ gates, failed, undecided, meanPairs, mostPairs }: Gates): string {
  if (gates === 0) return 'no session is long enough';
  return `${failed} of ${gates} failed, ${undecided} cannot tell; ${meanPairs.toFixed(1)} pairs each, ${mostPairs} at most`;
}

function percent(value: number): string {
  return `${value.toFixed(1)}%`;
}
