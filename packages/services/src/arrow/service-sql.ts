/** Flight SQL of a service: queries over its items, under its rules, counted with its other work. */
import type { RoleArrow, RoleConfig } from '@topo-bench/core/role-config';
import type { ArrowSql } from '@topo-bench/core/schema/arrow';
import { SqlFailure, type SqlRow, type SqlSource } from '@topo-bench/core/sql-source';
import { SqlFlights } from '@topo-bench/flight/sql/sql-flights';
import { columnsOfItems, openSqlSource } from '@topo-bench/stores/open-sql-source';
import type { RoleCounters } from '../control/role-counters.ts';
import { targetOf } from './served-columns.ts';
import { type SqlAccess, sqlAccess } from './sql-access.ts';
import { streamRules } from './stream-rules.ts';

export interface ServiceSql {
  flights: SqlFlights;
  close(): Promise<void>;
}

/** @throws TopoBenchError when the rules cannot be used, or the database refuses what this needs */
export async function openServiceSql(
  config: RoleConfig,
  { table, rules }: RoleArrow,
  sql: ArrowSql,
  counters: RoleCounters,
): Promise<ServiceSql> {
  const { persistence } = config;
  if (!persistence) throw new RangeError('queries without a store');
  const { configuration, url } = persistence.store;
  const access = sqlAccess(
    columnsOfItems(configuration),
    rules && streamRules(rules, targetOf(config), config.pseudonymKey),
    table.facts,
    Object.values(persistence.categories).filter((category) => category !== 'none'),
  );
  if (access.refusal !== undefined) return { flights: new SqlFlights(refusing(access.refusal)), close: async () => {} };
  const source = await openSqlSource({
    url,
    columns: access.columns,
    connections: sql.connections,
    timeLimitMs: sql.timeout / 1000,
  });
  return { flights: new SqlFlights(counted(source, access, counters)), close: () => source.close() };
}

function refusing(refusal: string): SqlSource {
  const refuse = async (): Promise<never> => {
    throw new SqlFailure('denied', refusal, { hint: 'ask for the columns of the service, which its rules decide one by one' });
  };
  return { describe: refuse, run: refuse, close: async () => {} };
}

function counted(source: SqlSource, access: SqlAccess & { columns: string[] }, counters: RoleCounters): SqlSource {
  const { withheld, effect } = access;
  const explained = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof SqlFailure) || error.kind !== 'denied' || withheld.length === 0) throw error;
      const hint = `rules withhold ${withheld.join(', ')} of items; name the others`;
      throw new SqlFailure('denied', error.message, { hint, cause: error });
    }
  };
  async function* whileInFlight(chunks: AsyncIterable<readonly SqlRow[]>): AsyncGenerator<readonly SqlRow[], void, void> {
    counters.inFlight++;
    try {
      const iterator = chunks[Symbol.asyncIterator]();
      for (;;) {
        const { value, done } = await explained(iterator.next());
        if (done) break;
        if (effect) {
          counters.decisions[effect] += value.length;
          counters.columns.rows += value.length;
        }
        yield value;
      }
      counters.served++;
    } finally {
      counters.inFlight--;
    }
  }
  return {
    describe: (text, signal) => explained(source.describe(text, signal)),
    run: async (text, values, signal) => {
      const { columns, rows } = await explained(source.run(text, values, signal));
      return { columns, rows: whileInFlight(rows) };
    },
    close: () => source.close(),
  };
}
