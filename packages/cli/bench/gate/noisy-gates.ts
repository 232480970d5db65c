/**
 * Whole gates on a busy machine: `topo-bench gate` as users run it, as an ordinary user, next to programs that compute
 * at random. Each gate adds a line to a file; the next call continues.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stop } from '@topo-bench/workbench/gate';
import { appendCsvRow, csvRows } from './csv-rows.ts';
import { asOrdinaryUser, type Foreign, shortFigure } from './ordinary-user.ts';
import { type Kind, kinds } from './stored-pairs.ts';

/** Work of the services: five that wait, with 20% more on the slower side; one that computes, with 10% more. */
const workOf = {
  waiting: { same: '4ms', slower: '4.8ms' },
  hashing: { same: '9ms', slower: '9.9ms' },
} satisfies Record<string, Record<Kind, string>>;
export type NoisyLoad = keyof typeof workOf;
export const noisyLoads = Object.keys(workOf) as NoisyLoad[];
const expectedCode: Record<Kind, number> = { same: 0, slower: 1 };

const columns = [
  'load',
  'foreign',
  'kind',
  'gate',
  'startedAt',
  'seconds',
  'exitCode',
  'verdict',
  'pairs',
  'validPairs',
  'changePercent',
  'low',
  'high',
] as const;

export interface NoisyGate {
  load: NoisyLoad;
  foreign: Foreign;
  kind: Kind;
  gate: number;
  exitCode: number;
}

export function readNoisyGates(file: string): NoisyGate[] {
  return csvRows(file).map(([load, foreign, kind, gate, , , exitCode]) => {
    const of = { load: load as NoisyLoad, foreign: foreign as Foreign, kind: kind as Kind };
    return { ...of, gate: Number(gate), exitCode: Number(exitCode) };
  });
}

export interface NoisyOptions {
  file: string;
  load: NoisyLoad;
  foreign: Foreign;
  kinds: readonly Kind[];
  /** Gates wanted of each kind, those in the file included. */
  wanted: number;
  /** Gates of this call. */
  atMost: number;
  /** `--max-time` of each gate. */
  maxTime: string;
}

/** Measures missing gates, kinds in turns, and prints a line for each and the totals. */
export async function measureNoisyGates(options: NoisyOptions): Promise<void> {
  const { file, load, foreign, wanted, atMost } = options;
  const own = (): NoisyGate[] => readNoisyGates(file).filter((one) => one.load === load && one.foreign === foreign);
  // The gate gets the interrupt too, and tears down; its temporary folder is removed here.
  let interrupted = false;
  process.once('SIGINT', () => {
    interrupted = true;
  });
  for (let count = 0; count < atMost && !interrupted; count++) {
    const have = (kind: Kind): number => own().filter((one) => one.kind === kind).length;
    const [kind] = options.kinds.filter((one) => have(one) < wanted).sort((a, b) => have(a) - have(b));
    if (kind === undefined) break;
    const line = await oneGate(kind, have(kind) + 1, options);
    if (interrupted) break;
    appendCsvRow(file, columns, line);
    process.stdout.write(`${line}\n`);
  }
  for (const line of totals(own())) process.stdout.write(`${line}\n`);
}

/** What the gates decided, one sentence for each kind. */
export function totals(gates: readonly NoisyGate[]): string[] {
  return kinds.flatMap((kind) => {
    const own = gates.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    const count = (code: number): number => own.filter(({ exitCode }) => exitCode === code).length;
    const others = own.filter(({ exitCode }) => ![0, 1, 5].includes(exitCode)).length;
    return [
      `${kind}: ${own.length} ${own.length === 1 ? 'gate' : 'gates'}, ${count(0)} passed, ${count(1)} failed, ${count(5)} cannot tell${others > 0 ? `, ${others} ended otherwise` : ''}; ${count(expectedCode[kind])} as they should`,
    ];
  });
}

interface GateOutput {
  verdict?: string;
  pairs?: number;
  stopped?: Stop;
  cells?: { differencePercent: number; intervalPercent: [unknown, unknown] }[];
}

/** The columns from `verdict` on. @param stdout the JSON document of a gate; empty for one that failed before */
export function outcomeOf(stdout: string): (string | number)[] {
  const { verdict = 'none', pairs = 0, stopped, cells: [cell] = [] } = JSON.parse(stdout || '{}') as GateOutput;
  const [low, high] = cell?.intervalPercent ?? [];
  return [verdict, pairs, stopped?.validPairs ?? '', ...[cell?.differencePercent, low, high].map(shortFigure)];
}

async function oneGate(kind: Kind, gate: number, { load, foreign, maxTime }: NoisyOptions): Promise<string> {
  const experiment = fileURLToPath(new URL(`${load}.yaml`, import.meta.url));
  const startedAt = new Date();
  const { code, stdout } = await asOrdinaryUser(foreign, 2 * gate + kinds.indexOf(kind), ({ folder, topoBench }) =>
    topoBench([
      ...['gate', '--experiment', experiment, '--candidate-set', `defaults.work.mean=${workOf[load][kind]}`],
      ...['--set', `seed=${100 * (kinds.indexOf(kind) + 1) + gate}`, '--threshold', 'rtt.median < +5%'],
      ...['--max-time', maxTime, '--out', join(folder, 'gate'), '--json', '--quiet'],
    ]),
  );
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1e3);
  return [load, foreign, kind, gate, startedAt.toISOString(), seconds, code, ...outcomeOf(stdout)].join();
}
