/** Measured pairs as they are kept: a row of CSV each. */
import { fileURLToPath } from 'node:url';
import type { Cell } from '@topo-bench/core/schema/result';
import { appendCsvRow, csvRows } from './csv-rows.ts';

/**
 * `waiting`: one cell whose services wait. `cpu`: one cell whose services compute, at the lowest rate of the routing
 * study. `cells`: twelve cells that wait, of which the candidate of a slower session is slower in one.
 */
export const loads = ['waiting', 'cpu', 'cells'] as const;
export type Load = (typeof loads)[number];

/** `same`: both sides equal. `slower`: the candidate's services work longer. */
export const kinds = ['same', 'slower'] as const;
export type Kind = (typeof kinds)[number];

export interface StoredPair {
  load: Load;
  kind: Kind;
  /** Pairs measured one after another have one session; its number is the seed of their requests. */
  session: number;
  repetition: number;
  /** Levels of the cell; `*` at the end marks the cell that is slower. */
  cell: string;
  /** Median RTT in µs. */
  baselineUs: number;
  candidateUs: number;
  /** Both sides are valid, and the host was not saturated. */
  usable: boolean;
  flags: string;
}

const columns = [
  'load',
  'kind',
  'session',
  'repetition',
  'cell',
  'startedAt',
  'baselineUs',
  'candidateUs',
  'usable',
  'flags',
] as const;
const pairsFile = fileURLToPath(new URL('pairs.csv', import.meta.url));

export function readPairs(file = pairsFile): StoredPair[] {
  return csvRows(file).map((row) => {
    const [load, kind, session, repetition, cell = '', , baselineUs, candidateUs, usable, flags = ''] = row;
    const numbers = { session: Number(session), repetition: Number(repetition) };
    const figures = { baselineUs: Number(baselineUs), candidateUs: Number(candidateUs) };
    return { load: load as Load, kind: kind as Kind, ...numbers, cell, ...figures, usable: usable === 'yes', flags };
  });
}

/** @param of which load and kind, in which session */
export function appendPair(
  of: Pick<StoredPair, 'load' | 'kind' | 'session' | 'cell'>,
  baseline: Cell,
  candidate: Cell,
  file = pairsFile,
): void {
  const flags = new Set(
    [baseline, candidate].flatMap(({ validity }) => [...validity.flags, ...(validity.valid ? [] : ['invalid'])]),
  );
  const usable = !flags.has('invalid') && !flags.has('host-saturated');
  const figures = [baseline, candidate].map(({ rtt }) => rtt.medianUs.toFixed(1));
  const line = [
    ...[of.load, of.kind, of.session, candidate.repetition, of.cell, candidate.startedAt],
    ...[...figures, usable ? 'yes' : 'no', [...flags].join(' ')],
  ];
  appendCsvRow(file, columns, line.join());
}
