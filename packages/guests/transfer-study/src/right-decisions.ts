/**
 * The right decisions about a table and the rows that they leave. The oracle decides row by row; the service decides
 * whole columns.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { differentBatches, objectOf, type SeededTable, valueReader } from '@topo-bench/columns';
import type { Decision, RequestFacts, TargetFacts } from '@topo-bench/core';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { Effect } from '@topo-bench/core/schema/rules';
import type { RowTreatment } from '@topo-bench/loadgen/flight/transfer';
import { type Rules, rightDecision } from '@topo-bench/oracle';
import type { Data, RecordBatch } from 'apache-arrow';

export interface DecisionCounts {
  effects: Record<Effect, number>;
  /** Rows by id of the deciding rule, without rows of the default effect. */
  byRule: Record<string, number>;
  /** Bytes of withheld values by category. */
  exposureBytes: Record<string, number>;
}

export interface RightDecisions {
  counts: DecisionCounts;
  treatments: RowTreatment[];
  /** For each different batch of the table: index of the treatment of each row. */
  codes: Uint16Array[];
}

/** Rows decided before yielding to other work, e.g. a Ctrl-C. */
const rowsPerTurn = 10_000;

/** Batches that the table repeats are decided once. */
export async function rightDecisions(
  table: SeededTable,
  { columns, facts }: ArrowService,
  rules: Rules,
  target: TargetFacts,
): Promise<RightDecisions> {
  const asked = askedColumns(rules, columns);
  const categories = [...new Set(columns.map(({ category }) => category).filter((category) => category !== 'none'))];
  const [, batches] = table.batchesOf(0, 1);
  const decisions: Decision[] = [];
  const codeOf = new Map<string, number>();
  const codes: Uint16Array[] = [];
  for (let number = 0; number < Math.min(batches, differentBatches); number++)
    codes.push(await decide(table.batchAt(number)));
  const treatments = decisions.map(treatmentOf);
  const counts: DecisionCounts = {
    effects: { allow: 0, deny: 0, redact: 0, reroute: 0 },
    byRule: Object.create(null),
    exposureBytes: Object.create(null),
  };
  const exposures = new Map<string, Record<string, number>>();
  for (let number = 0; number < batches; number++) count(number);
  return { counts, treatments, codes };

  async function decide(batch: RecordBatch): Promise<Uint16Array> {
    const readerOf = (name: string | undefined) => {
      const index = columns.findIndex((column) => column.name === name);
      return index < 0 ? () => undefined : valueReader(batch.data.children[index] as Data);
    };
    const [origin, consents] = [readerOf(facts.origin), readerOf(facts.consents)];
    const members = asked.map((name) => [name, readerOf(name)] as const);
    const codesOfRows = new Uint16Array(batch.numRows);
    for (let row = 0; row < batch.numRows; row++) {
      const request: RequestFacts = {
        class: facts.class,
        purpose: facts.purpose,
        origin: String(origin(row) ?? ''),
        consents: (consents(row) ?? []) as string[],
        categories,
        payload: objectOf(members, row),
      };
      codesOfRows[row] = codeFor(rightDecision(rules, { request, target, flow: { services: [], regions: [] } }));
      if (row % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    }
    return codesOfRows;
  }

  /** Decisions with the same counts and redaction share a code, so there are few codes. */
  function codeFor(decision: Decision): number {
    const { effect, rule, remove, pseudonymise } = decision;
    const key = JSON.stringify([effect, rule, remove, pseudonymise]);
    const known = codeOf.get(key);
    if (known !== undefined) return known;
    codeOf.set(key, decisions.length);
    return decisions.push(decision) - 1;
  }

  function count(number: number): void {
    const rows = new Uint32Array(decisions.length);
    const batch = table.batchAt(number);
    // The last batch may be incomplete.
    const codesOfRows = (codes[number % differentBatches] as Uint16Array).subarray(0, batch.numRows);
    for (const code of codesOfRows) rows[code] = (rows[code] as number) + 1;
    const contents = `${number % differentBatches}/${batch.numRows}`;
    const exposed = exposures.get(contents) ?? exposureOf(batch, columns, codesOfRows, treatments);
    exposures.set(contents, exposed);
    addTo(counts.exposureBytes, exposed);
    decisions.forEach(({ effect, rule }, code) => {
      const more = rows[code] as number;
      counts.effects[effect] += more;
      if (rule !== undefined && more > 0) counts.byRule[rule] = (counts.byRule[rule] ?? 0) + more;
    });
  }
}

/** A stream has no alternative target: a reroute withholds the row. */
function treatmentOf({ effect, remove, pseudonymise }: Decision): RowTreatment {
  const columnOf = (pointer: string): string => pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  const passes = effect !== 'deny' && effect !== 'reroute';
  return { passes, remove: remove.map(columnOf), pseudonymise: pseudonymise.map(columnOf) };
}

/** Bytes by category that the rows of a batch lose: a refused row all of its values, another one its redacted ones. */
function exposureOf(
  batch: RecordBatch,
  columns: ArrowService['columns'],
  codes: Uint16Array,
  treatments: readonly RowTreatment[],
): Record<string, number> {
  const exposed: Record<string, number> = Object.create(null);
  columns.forEach(({ name, type, category }, i) => {
    if (category === 'none') return;
    const loses = treatments.map(
      ({ passes, remove, pseudonymise }) => !passes || remove.includes(name) || pseudonymise.includes(name),
    );
    if (!loses.includes(true)) return;
    const read = valueReader(batch.data.children[i] as Data);
    let bytes = 0;
    codes.forEach((code, row) => {
      const value = loses[code] ? read(row) : undefined;
      if (value !== undefined) bytes += widths[type] ?? textBytes(value);
    });
    if (bytes > 0) exposed[category] = (exposed[category] ?? 0) + bytes;
  });
  return exposed;
}

/** Bytes of a value by type of column; other types count the UTF-8 size of their text or JSON. */
const widths: Partial<Record<ArrowService['columns'][number]['type'], number>> = {
  int64: 8,
  int32: 4,
  float64: 8,
  bool: 1,
  timestamp: 8,
};

function textBytes(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}

function addTo(total: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + count;
}

/** Names of columns that conditions may read: those in their text, or all columns if they read the whole payload. */
function askedColumns(rules: Rules, columns: ArrowService['columns']): string[] {
  const text = JSON.stringify([rules.conditions, rules.rules.map(({ when }) => when)]);
  const asksForAll = /\$\.payload(?![.[])|"\$"/.test(text) || /"fact":"request"(?![^}]*"path")/.test(text);
  return columns.map(({ name }) => name).filter((name) => asksForAll || text.includes(name));
}

/** The counts of a service compared with those of the oracle, with examples in words. */
export function wrongDecisions(counted: DecisionCounts, right: DecisionCounts): { wrong: number; examples: string[] } {
  const decided = Math.max(difference(counted.effects, right.effects), difference(counted.byRule, right.byRule));
  const exposed = [...new Set([...Object.keys(counted.exposureBytes), ...Object.keys(right.exposureBytes)])].flatMap(
    (category) => {
      const [bytes, expected] = [counted.exposureBytes[category] ?? 0, right.exposureBytes[category] ?? 0];
      return bytes === expected ? [] : [`${bytes} B of "${category}" data were exposed, expected ${expected} B`];
    },
  );
  // Counts do not show which rows the bytes belong to, so each category counts once.
  return { wrong: decided + exposed.length, examples: exposed };
}

function difference(counted: Readonly<Record<string, number>>, right: Readonly<Record<string, number>>): number {
  const names = [...new Set([...Object.keys(counted), ...Object.keys(right)])];
  const above = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): number =>
    names.reduce((sum, name) => sum + Math.max(0, (a[name] ?? 0) - (b[name] ?? 0)), 0);
  return Math.max(above(counted, right), above(right, counted));
}
