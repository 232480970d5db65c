/**
 * The other side of `bench:stores`: one process that sends the very statements of the service to PostgreSQL through the
 * bare driver, as many at once and over as many connections. Statements are made before the clock starts.
 */
import type { Item } from '@topo-bench/core';
import type { ItemQuery } from '@topo-bench/stores';
import { layoutOf } from '@topo-bench/stores/postgresql/layouts';
import { queryStatement, statementsOf } from '@topo-bench/stores/postgresql/statements';
import { type StoreWorkload, storeRequests } from '@topo-bench/workload';
import pg from 'pg';

export interface BareJob {
  url: string;
  workload: StoreWorkload;
  repetition: number;
  concurrency: number;
  connections: number;
  seconds: number;
  /** Statements to have ready; they start again from the first where they do not last. */
  statements: number;
}

type Statement = { name: string; text: string; values: (string | number)[] };

const layout = layoutOf('sql-indexed');
const statements = statementsOf(layout);
let pool: pg.Pool | undefined;

process.on('message', async (job: BareJob) => {
  pool ??= new pg.Pool({ connectionString: job.url, max: job.connections });
  const generate = storeRequests(job.workload, 1, job.repetition);
  const made = Array.from({ length: job.statements }, (_, index) => statementOf(generate(index)));
  process.send?.(await run(pool, made, job));
});
process.on('disconnect', () => process.exit());

/** @returns statements per second */
async function run(pool: pg.Pool, made: readonly Statement[], { concurrency, seconds }: BareJob): Promise<number> {
  const startMs = performance.now();
  const endMs = startMs + seconds * 1e3;
  let [next, done] = [0, 0];
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await pool.query(made[next++ % made.length] as Statement);
      done++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return (done * 1e3) / (performance.now() - startMs);
}

function statementOf({ operation, path, body }: ReturnType<ReturnType<typeof storeRequests>>): Statement {
  if (operation === 'get') return { ...statements.get, values: [path.slice('/items/'.length)] };
  if (operation === 'query') {
    const { customer, status, limit } = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
    return queryStatement(layout, { customer, status, limit: Number(limit) } as ItemQuery);
  }
  const values = layout.toValues(JSON.parse(body as string) as Item);
  return { ...(operation === 'create' ? statements.create : statements.put), values };
}
