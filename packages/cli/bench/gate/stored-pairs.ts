/** Measured pairs as they are kept: a line of CSV each, appended as soon as it is measured. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cell } from '@topo-bench/core/schema/result';

/** `same`: both sides equal. `slower`: the candidate's services work longer. */
export type Kind = 'same' | 'slower';

export interface StoredPair {
  kind: Kind;
  /** Pairs measured one after another have one session; its number is the seed of their requests. */
  session: number;
  repetition: number;
  /** Median RTT in µs. */
  baselineUs: number;
  candidateUs: number;
  /** Both sides are valid, and the host was not saturated. */
  usable: boolean;
  flags: string;
}

const columns = ['kind', 'session', 'repetition', 'startedAt', 'baselineUs', 'candidateUs', 'usable', 'flags'] as const;
export const pairsFile = fileURLToPath(new URL('pairs.csv', import.meta.url));

export function readPairs(file = pairsFile): StoredPair[] {
  if (!existsSync(file)) return [];
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [kind, session, repetition, , baselineUs, candidateUs, usable, flags = ''] = line.split(',');
    const numbers = { session: Number(session), repetition: Number(repetition) };
    const figures = { baselineUs: Number(baselineUs), candidateUs: Number(candidateUs) };
    return { kind: kind as Kind, ...numbers, ...figures, usable: usable === 'yes', flags };
  });
}

export function appendPair(kind: Kind, session: number, baseline: Cell, candidate: Cell, file = pairsFile): void {
  const flags = new Set(
    [baseline, candidate].flatMap(({ validity }) => [...validity.flags, ...(validity.valid ? [] : ['invalid'])]),
  );
  const usable = !flags.has('invalid') && !flags.has('host-saturated');
  const figures = [baseline, candidate].map(({ rtt }) => rtt.medianUs.toFixed(1));
  const line = [
    kind,
    session,
    candidate.repetition,
    candidate.startedAt,
    ...figures,
    usable ? 'yes' : 'no',
    [...flags].join(' '),
  ];
  if (!existsSync(file)) appendFileSync(file, `${columns.join(',')}\n`);
  appendFileSync(file, `${line.join(',')}\n`);
}
