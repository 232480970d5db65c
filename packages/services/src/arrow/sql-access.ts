/**
 * What rules leave of the items of a service to queries of callers. A query may compute anything from anything, so nothing can be taken out
 * of its result: what rules withhold is out of its reach, as a column that its role may not read, and where rules look at the rows there are
 * no queries at all (docs/decisions/0017-flight-sql.md).
 */
import { pointerSteps, type RowFacts, type StreamRules } from '@topo-bench/columns';
import type { Decision } from '@topo-bench/core/facts';
import type { ItemColumn } from '@topo-bench/stores/open-sql-source';

export interface Granted {
  refusal?: undefined;
  /** That queries may read. */
  columns: string[];
  withheld: string[];
  /** Counted for every row of a result; undefined where nothing is enforced. */
  effect: 'allow' | 'redact' | undefined;
  /** That decides every row; undefined for the default effect. */
  rule?: string | undefined;
}

export type SqlAccess = Granted | { refusal: string };

/** @param facts of every row alike; @param categories of all items */
export function sqlAccess(
  columns: readonly ItemColumn[],
  rules: StreamRules | undefined,
  { class: kind, purpose }: Pick<RowFacts, 'class' | 'purpose'>,
  categories: readonly string[],
): SqlAccess {
  const names = columns.map(({ name }) => name);
  if (!rules) return { columns: names, withheld: [], effect: undefined };
  const asked = askedOfRows(rules, columns);
  if (asked) return { refusal: `the rules of this service decide row by row, by ${asked}, to which a free query cannot be held` };
  const request = { class: kind, purpose, origin: '', consents: [], categories: [...new Set(categories)], payload: {} };
  const decision = rules.decide(request);
  const { effect, rule } = decision;
  if (effect === 'deny' || effect === 'reroute') {
    return { refusal: rule === undefined ? 'no rule allows queries' : `the rule "${rule}" refuses queries` };
  }
  const withheld = columns.filter((column) => isTouched(column, decision)).map(({ name }) => name);
  return { columns: names.filter((name) => !withheld.includes(name)), withheld, effect, rule };
}

/** What the rules look at that differs between items, or that items do not tell; undefined for nothing. */
function askedOfRows({ asks }: StreamRules, columns: readonly ItemColumn[]): string | undefined {
  if (asks.origin) return 'their origin';
  if (asks.consents) return 'consents';
  if (asks.payload === 'everything') return 'all of their contents';
  return asks.payload.find((name) => columns.some((column) => column.name === name || column.fields.includes(name)));
}

/** A pseudonym would have to be computed before the query: its column is withheld too. */
function isTouched({ name, fields }: ItemColumn, { remove, pseudonymise }: Decision): boolean {
  return [...remove, ...pseudonymise].some((pointer) => {
    const [first] = pointerSteps(pointer);
    return first === undefined || first === name || fields.includes(first);
  });
}
