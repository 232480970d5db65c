/**
 * `npm run bench:gate [-- --collect-seconds 240] [--load waiting|cpu|cells] [--kind same|slower] [--json]`: how often
 * the gate alarms falsely and what it finds, on measured pairs of deployments of equal code and of such where one is
 * slower; next to the rule that most tools gate by. The pairs are kept in `pairs.csv`; collecting adds to them, on a
 * machine that does nothing else.
 *
 * `npm run bench:gate -- --noisy 20 [--load waiting|hashing] [--foreign processors|core] [--kind same|slower]
 * [--at-most 3] [--max-time 5m] [--file FILE]`: 20 whole gates of each kind, as an ordinary user, next to foreign load
 * of a third of the processors, or of one, at random. It continues where the file ends, with `--at-most` so many gates
 * in this call, and prints a line for each gate and the totals.
 *
 * `npm run bench:gate -- --comparisons 20 [--foreign processors|core] [--at-most 3] [--file FILE]`: 20 runs under the
 * same foreign load, each of which compares levels with no, 10% and 30% added work, and how many verdicts are right.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Gates, judgePairs, type Row, wanted } from './judge-pairs.ts';
import { foreigns } from './ordinary-user.ts';
import { kinds, loads, readPairs } from './stored-pairs.ts';

const { values: flags } = parseArgs({
  options: {
    'collect-seconds': { type: 'string' },
    load: { type: 'string' },
    kind: { type: 'string' },
    json: { type: 'boolean', default: false },
    noisy: { type: 'string' },
    comparisons: { type: 'string' },
    foreign: { type: 'string' },
    'at-most': { type: 'string' },
    'max-time': { type: 'string' },
    file: { type: 'string' },
  },
});
const chosen = <T extends string>(known: readonly T[], flag: string | undefined, name: string): readonly T[] => {
  if (flag === undefined) return known;
  const found = known.filter((one) => one === flag);
  if (found.length === 0) throw new Error(`--${name}: got ${flag}, expected one of ${known.join(', ')}`);
  return found;
};
const ofKinds = chosen(kinds, flags.kind, 'kind');
const [foreign = 'processors'] = chosen(foreigns, flags.foreign, 'foreign');
const atMost = Number(flags['at-most'] ?? Number.POSITIVE_INFINITY);
const inFile = (name: string): string => flags.file ?? fileURLToPath(new URL(name, import.meta.url));
if (flags.noisy !== undefined) {
  const { measureNoisyGates, noisyLoads } = await import('./noisy-gates.ts');
  const [load = 'waiting'] = chosen(noisyLoads, flags.load, 'load');
  await measureNoisyGates({
    file: inFile('noisy-gates.csv'),
    ...{ load, foreign, kinds: ofKinds, wanted: Number(flags.noisy), atMost },
    maxTime: flags['max-time'] ?? '5m',
  });
  process.exit();
}
if (flags.comparisons !== undefined) {
  const { measureNoisyComparisons } = await import('./noisy-comparisons.ts');
  const file = inFile('noisy-comparisons.csv');
  await measureNoisyComparisons({ file, foreign, wanted: Number(flags.comparisons), atMost });
  process.exit();
}
const of = { loads: chosen(loads, flags.load, 'load'), kinds: ofKinds };
const seconds = Number(flags['collect-seconds'] ?? 0);
if (seconds > 0) {
  const { collectPairs } = await import('./collect-pairs.ts');
  // False alarms are the rarer event, so more pairs are of equal sides.
  const shares = { same: of.kinds.length === 1 ? 1 : 0.7, slower: of.kinds.length === 1 ? 1 : 0.3 };
  for (const load of of.loads) {
    for (const kind of of.kinds) await collectPairs(load, kind, (shares[kind] * seconds) / of.loads.length);
  }
}
const stored = readPairs();
const rows = of.loads.flatMap((load) => of.kinds.map((kind) => judgePairs(stored, load, kind)));
if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else for (const row of rows) print(row);

function print({ load, kind, rounds, leftOut, figures }: Row): void {
  const lines = [`${load}, ${kind}: ${rounds} rounds, ${leftOut} pairs left out`];
  if (figures) {
    const { changePercent, interval, spreadPercent, resampled, independent, foundTheCell, fixed } = figures;
    const what = load === 'cells' && kind === 'slower' ? 'the slower cell' : 'the candidate';
    lines.push(
      `  ${what} differs by ${percent(changePercent)} (${percent(interval[0])} … ${percent(interval[1])}); half of the pairs lie within ${percent(spreadPercent)} of their cell`,
      `  gates that share no round: ${describe(independent)}`,
      ...(load === 'cells' && kind === 'slower' ? [`  of these, ${foundTheCell} failed in the slower cell alone`] : []),
      `  gates on resampled rounds: ${describe(resampled)}`,
      ...(fixed ? [`  10% against the last run:  ${fixed.alarms} of ${fixed.of} alarmed`] : []),
    );
  }
  if (rounds < wanted[kind]) {
    lines.push(
      `  ${wanted[kind]} rounds are wanted; measure more: npm run bench:gate -- --collect-seconds 240 --load ${load} --kind ${kind}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function describe({ gates, failed, undecided, meanPairs, maxPairs }: Gates): string {
  if (gates === 0) return 'no session is long enough';
  return `${failed} of ${gates} failed, ${undecided} cannot tell; ${meanPairs.toFixed(1)} pairs each, ${maxPairs} at most`;
}

function percent(value: number): string {
  return `${value.toFixed(1)}%`;
}
