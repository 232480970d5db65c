/**
 * Comparisons on a busy machine whose right answer is known: levels with no, 10% and 30% added work in one run, as a
 * user compares them. Each comparison adds a line to a file; the next call continues.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appendCsvRow, csvRows } from './csv-rows.ts';
import { asOrdinaryUser, type Foreign, type OrdinaryUser, shortFigure } from './ordinary-user.ts';

const experiment = fileURLToPath(new URL('comparison.yaml', import.meta.url));
const factor = 'defaults.work.mean';
const reference = '6ms';
/** Added work, in percent, by level. */
const addedOf: Readonly<Record<string, number>> = { '6000us': 0, '6.6ms': 10, '7.8ms': 30 };
const columns = ['foreign', 'run', 'startedAt', 'seconds', 'added', 'verdict', 'changePercent', 'low', 'high'] as const;

export interface NoisyComparison {
  foreign: Foreign;
  run: number;
  addedPercent: number;
  verdict: string;
}

export function readNoisyComparisons(file: string): NoisyComparison[] {
  return csvRows(file).map(([foreign, run, , , added, verdict = '']) => {
    return { foreign: foreign as Foreign, run: Number(run), addedPercent: Number(added), verdict };
  });
}

export interface ComparisonsOptions {
  file: string;
  foreign: Foreign;
  /** Runs wanted, those in the file included. */
  wanted: number;
  /** Runs of this call. */
  atMost: number;
}

/** Measures missing comparisons, and prints a line for each and the totals. */
export async function measureNoisyComparisons({ file, foreign, wanted, atMost }: ComparisonsOptions): Promise<void> {
  const own = (): NoisyComparison[] => readNoisyComparisons(file).filter((one) => one.foreign === foreign);
  // The run gets the interrupt too, and tears down; its temporary folder is removed here.
  let interrupted = false;
  process.once('SIGINT', () => {
    interrupted = true;
  });
  for (let count = 0; count < atMost && !interrupted; count++) {
    const run = Math.max(0, ...own().map((one) => one.run)) + 1;
    if (run > wanted) break;
    const startedAt = new Date();
    const lines = await asOrdinaryUser(foreign, 1000 + run, (user) => oneRun(user, run));
    if (interrupted) break;
    const seconds = Math.round((Date.now() - startedAt.getTime()) / 1e3);
    for (const line of lines) {
      const whole = [foreign, run, startedAt.toISOString(), seconds, line].join();
      appendCsvRow(file, columns, whole);
      process.stdout.write(`${whole}\n`);
    }
  }
  for (const line of comparisonTotals(own())) process.stdout.write(`${line}\n`);
}

async function oneRun({ folder, topoBench }: OrdinaryUser, run: number): Promise<string[]> {
  const out = join(folder, 'run');
  await topoBench(['run', experiment, '--out', out, '--set', `seed=${run}`, '--quiet']);
  const compared = await topoBench(['compare', out, '--within', factor, '--reference', reference, '--json']);
  return comparedLines(compared.stdout);
}

interface Compared {
  cells?: {
    factors: Record<string, unknown>;
    verdict: string;
    differencePercent: unknown;
    intervalPercent: [low: unknown, high: unknown];
  }[];
}

/**
 * The columns from `added` on, by level.
 * @param stdout JSON document of `compare --within`; empty: nothing to compare
 */
export function comparedLines(stdout: string): string[] {
  const { cells = [] } = JSON.parse(stdout || '{}') as Compared;
  return Object.entries(addedOf).map(([level, added]) => {
    const cell = cells.find(({ factors }) => String(factors[factor]) === level);
    const figures = [cell?.differencePercent, ...(cell?.intervalPercent ?? ['', ''])].map(shortFigure);
    return [added, cell?.verdict ?? 'cannot tell', ...figures].join();
  });
}

/** How many verdicts were right, wrong or missing, one sentence for each difference. */
export function comparisonTotals(comparisons: readonly NoisyComparison[]): string[] {
  return Object.values(addedOf).flatMap((addedPercent) => {
    const verdicts = comparisons.filter((one) => one.addedPercent === addedPercent).map(({ verdict }) => verdict);
    if (verdicts.length === 0) return [];
    const right = addedPercent === 0 ? 'no difference seen' : 'slower';
    const none = verdicts.filter((verdict) => verdict === 'cannot tell').length;
    const rights = verdicts.filter((verdict) => verdict === right).length;
    const wrong = verdicts.length - none - rights;
    const counts = `${rights} right, ${wrong} wrong, ${none} without a verdict`;
    return [`${addedPercent}% added work: ${verdicts.length} comparisons, ${counts}`];
  });
}
