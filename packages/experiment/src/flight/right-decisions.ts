/**
 * What the rules decide about every row of a table, by the oracle and row by row: what the service counted while it decided columns at once must
 * be the same.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestFacts, TargetFacts } from '@topo-bench/core/facts';
import type { RuleSet } from '@topo-bench/core/rule-set';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { Effect } from '@topo-bench/core/schema/rules';
import { objectOf, valueReader } from '@topo-bench/flight/http/json-values';
import type { SeededTable } from '@topo-bench/flight/http/seeded-table';
import { rightDecision } from '@topo-bench/oracle';
import type { Data, RecordBatch } from 'apache-arrow';

export type DecisionCounts = Record<Effect, number>;

/** Rows decided before other work (a Ctrl-C) gets its turn. */
const rowsPerTurn = 10_000;

/** Counts over all rows; batches that the table repeats are decided once. */
export async function rightDecisions(
  table: SeededTable,
  { columns, facts }: ArrowService,
  rules: RuleSet,
  target: TargetFacts,
): Promise<DecisionCounts> {
  const asked = askedColumns(rules, columns);
  const categories = [...new Set(columns.map(({ category }) => category).filter((category) => category !== 'none'))];
  const total: DecisionCounts = { allow: 0, deny: 0, redact: 0, reroute: 0 };
  const known = new Map<RecordBatch, DecisionCounts>();
  const [, batches] = table.batchesOf(0, 1);
  for (let number = 0; number < batches; number++) {
    const batch = table.batchAt(number);
    const counts = known.get(batch) ?? (await decideRows(batch));
    known.set(batch, counts);
    for (const effect of Object.keys(total) as Effect[]) total[effect] += counts[effect];
  }
  return total;

  async function decideRows(batch: RecordBatch): Promise<DecisionCounts> {
    const counts: DecisionCounts = { allow: 0, deny: 0, redact: 0, reroute: 0 };
    const readerOf = (name: string | undefined) => {
      const index = columns.findIndex((column) => column.name === name);
      return index < 0 ? () => undefined : valueReader(batch.data.children[index] as Data);
    };
    const [origin, consents] = [readerOf(facts.origin), readerOf(facts.consents)];
    const members = asked.map((name) => [name, readerOf(name)] as const);
    for (let row = 0; row < batch.numRows; row++) {
      const request: RequestFacts = {
        class: facts.class,
        purpose: facts.purpose,
        origin: String(origin(row) ?? ''),
        consents: (consents(row) ?? []) as string[],
        categories,
        payload: objectOf(members, row),
      };
      counts[rightDecision(rules, { request, target, flow: { services: [], regions: [] } }).effect]++;
      if (row % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    }
    return counts;
  }
}

/** Names of columns that conditions may look at: those that their text holds, or all where it asks for the payload as a whole. */
function askedColumns(rules: RuleSet, columns: ArrowService['columns']): string[] {
  const text = JSON.stringify([rules.conditions, rules.rules.map(({ when }) => when)]);
  const asksForAll = /\$\.payload(?![.[])|"\$"/.test(text) || /"fact":"request"(?![^}]*"path")/.test(text);
  return columns.map(({ name }) => name).filter((name) => asksForAll || text.includes(name));
}

/** Decisions that were other than they should be, at the least. */
export function wrongDecisions(counted: DecisionCounts, right: DecisionCounts): number {
  const effects = Object.keys(right) as Effect[];
  return Math.max(
    ...[1, -1].map((sign) => effects.reduce((sum, effect) => sum + Math.max(0, sign * (counted[effect] - right[effect])), 0)),
  );
}
