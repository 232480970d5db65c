/**
 * What PostgreSQL's own load generator reaches with the statements of the service: a client without JavaScript, as a
 * measure of what the server itself can do. Printed where pgbench is installed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dataset } from '@topo-bench/stores';
import { layoutOf } from '@topo-bench/stores/postgresql/layouts';
import { queryStatement, statementsOf } from '@topo-bench/stores/postgresql/statements';
import { customerCount, seededItem } from '@topo-bench/workload';

const layout = layoutOf('sql-indexed');
const { get, create, put } = statementsOf(layout);

export interface PgbenchJob {
  url: string;
  dataset: Dataset;
  clients: number;
  seconds: number;
}

/** @returns transactions per second, half of them of either kind; undefined when there is no pgbench */
export function pgbenchRates({
  dataset: { rows, seed },
  ...job
}: PgbenchJob): { reads: number; writes: number } | undefined {
  const key = `\\set key random(0, ${rows - 1})\n`;
  const added = `\\set key random(${rows}, 999999999)\n`;
  const customer = `\\set customer random(0, ${customerCount(rows) - 1})\n`;
  const { status, ...rest } = seededItem(seed, 1, rows);
  const query = queryStatement(layout, { customer: '', status, limit: 20 });
  const written = layout
    .toValues({ status, ...rest })
    .slice(1)
    .map((value, at) => literal(value, layout.columns[at + 1]));
  try {
    return {
      reads: rate(job, [
        key + withValues(get.text, [id]),
        customer + withValues(query.text, [`'c-' || lpad(:customer::text, 6, '0')`, literal(status), '20']),
      ]),
      writes: rate(job, [
        added + withValues(create.text, [id, ...written]),
        key + withValues(put.text, [id, ...written]),
      ]),
    };
  } catch {
    return undefined;
  }
}

const id = `'o-' || lpad(:key::text, 9, '0')`;
const casts: Readonly<Record<string, string>> = { created_at: '::timestamptz', lines: '::jsonb' };

/** A colon would begin a variable. */
function literal(value: string | number, column = ''): string {
  if (typeof value === 'number') return String(value);
  const quoted = `'${value.replaceAll("'", "''").replaceAll(':', "' || chr(58) || '")}'`;
  return `(${quoted})${casts[column] ?? ''}`;
}

/** The statement with expressions in place of its parameters. */
function withValues(text: string, values: readonly string[]): string {
  return `${text.replaceAll(/\$(\d+)/g, (_, place) => values[Number(place) - 1] as string)};\n`;
}

/** Names of scripts that are drawn with equal chances. */
function rate({ url, clients, seconds }: Omit<PgbenchJob, 'dataset'>, scripts: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'topo-bench-pgbench-'));
  try {
    const files = scripts.map((script, at) => {
      const file = join(folder, `${at}.sql`);
      writeFileSync(file, script);
      return ['-f', file];
    });
    const args = [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(clients),
      '-j',
      '1',
      '-T',
      String(seconds),
      ...files.flat(),
      url,
    ];
    const output = execFileSync('pgbench', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
