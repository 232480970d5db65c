/**
 * Decides which item columns queries may read. A query can compute any value from any column, so redacting its result
 * is not enough. Withheld columns are therefore not readable at all. Where rules depend on the rows, queries are
 * refused (docs/internals/flight.md).
 */
import { pointerSteps, type RowFacts, type StreamRules } from '@topo-bench/columns';
import type { Decision } from '@topo-bench/core';
import type { ItemColumn } from '@topo-bench/stores';

export interface Granted {
  refusal?: undefined;
  /** Columns that queries may read. */
  columns: string[];
  withheld: string[];
  /** Counted for every row of a result; undefined when the service has no rules. */
  effect: 'allow' | 'redact' | undefined;
  /** The rule that decides every row; undefined for the default effect. */
  rule?: string | undefined;
}

export type SqlAccess = Granted | { refusal: string };

/**
 * @param facts shared by all rows
 * @param categories of all items
 */
export function sqlAccess(
  columns: readonly ItemColumn[],
  rules: StreamRules | undefined,
  { class: kind, purpose }: Pick<RowFacts, 'class' | 'purpose'>,
  categories: readonly string[],
): SqlAccess {
  const names = columns.map(({ name }) => name);
  if (!rules) return { columns: names, withheld: [], effect: undefined };
  const asked = askedOfRows(rules, columns);
  if (asked)
    return {
      refusal: `the rules of this service decide row by row, by ${asked}; a query cannot be checked against them`,
    };
  const request = { class: kind, purpose, origin: '', consents: [], categories: [...new Set(categories)], payload: {} };
  const decision = rules.decide(request);
  const { effect, rule } = decision;
  if (effect === 'deny' || effect === 'reroute') {
    return { refusal: rule === undefined ? 'no rule allows queries' : `the rule "${rule}" refuses queries` };
  }
  const withheld = columns.filter((column) => isTouched(column, decision)).map(({ name }) => name);
  return { columns: names.filter((name) => !withheld.includes(name)), withheld, effect, rule };
}

/** The first fact in the rules that differs between items or is not known for them; undefined if there is none. */
function askedOfRows({ asks }: StreamRules, columns: readonly ItemColumn[]): string | undefined {
  if (asks.origin) return 'their origin';
  if (asks.consents) return 'consents';
  if (asks.payload === 'everything') return 'all of their contents';
  return asks.payload.find((name) => columns.some((column) => column.name === name || column.fields.includes(name)));
}

/** Pseudonymised columns are withheld too: a pseudonym would have to exist before the query runs. */
function isTouched({ name, fields }: ItemColumn, { remove, pseudonymise }: Decision): boolean {
  return [...remove, ...pseudonymise].some((pointer) => {
    const [first] = pointerSteps(pointer);
    return first === undefined || first === name || fields.includes(first);
  });
}
