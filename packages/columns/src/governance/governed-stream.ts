/**
 * Applies rules to a stream of columns. It refuses the whole stream, drops denied rows, and redacts values. Decisions
 * are made per kind of row and applied to whole buffers. The result equals that of deciding each row alone.
 */
import { type Decision, TopoBenchError } from '@topo-bench/core';
import { Data, RecordBatch, Schema, Struct } from 'apache-arrow';
import type { BatchDecisions } from './batch-decisions.ts';
import { type Allocate, allocUninitialised } from './buffers.ts';
import { editsOf } from './edits.ts';
import { lostBytes, redactedBytes, valueBytes } from './exposed-bytes.ts';
import { Gatherer } from './gather.ts';
import { checkPointer, type GovernedField, governedFields } from './governed-schema.ts';
import { ColumnRedactor } from './redact-column.ts';
import { RowDecisions } from './row-decisions.ts';
import { membersOf, outside, type RowMask } from './row-masks.ts';
import type { RowFacts, StreamCounts, StreamRules } from './stream-rules.ts';

export class GovernedStream {
  /** Schema of the output: every column is nullable, and columns that may be pseudonymised are text. */
  readonly schema: Schema;
  private counted = noCounts();
  private readonly fields: readonly GovernedField[];
  private readonly decisions: RowDecisions;
  private readonly redactor: ColumnRedactor;
  private readonly checked = new WeakSet<Decision>();

  /**
   * @throws TopoBenchError `TB_ARROW_DENIED` when the rules read no column and refuse every row; `TB_ARROW_UNSUPPORTED`
   * when a redaction is not possible
   */
  constructor(
    private readonly source: Schema,
    private readonly facts: RowFacts,
    rules: StreamRules,
  ) {
    this.decisions = new RowDecisions(source, facts, rules);
    const { uniform } = this.decisions;
    if (uniform && refuses(uniform)) {
      throw new TopoBenchError(
        'TB_ARROW_DENIED',
        `${uniform.rule === undefined ? 'the default effect' : `the rule "${uniform.rule}"`} refuses this stream as a whole`,
        {
          hint: 'state another purpose, or use a service that the rules allow',
        },
      );
    }
    this.fields = governedFields(source, rules.mayPseudonymise);
    this.schema = new Schema(
      this.fields.map(({ field }) => field),
      source.metadata,
    );
    this.redactor = new ColumnRedactor(new Gatherer(), (value) => rules.pseudonym(value));
  }

  /** Applies the rules to all batches of a source. */
  async *batches(source: AsyncIterable<RecordBatch> | Iterable<RecordBatch>): AsyncGenerator<RecordBatch, void, void> {
    for await (const batch of source) {
      const passed = this.apply(batch);
      if (passed) yield passed;
    }
  }

  /** Returns and resets the counts. */
  takeCounts(): StreamCounts {
    const { counted } = this;
    this.counted = noCounts();
    return counted;
  }

  /**
   * Applies the rules to one batch.
   * @param allocate memory of the values that change; what no rule touches stays in the memory of `batch`
   * @returns undefined when no row passes
   * @throws TopoBenchError `TB_ARROW_UNSUPPORTED` when a redaction is not possible
   */
  apply(batch: RecordBatch, allocate: Allocate = allocUninitialised): RecordBatch | undefined {
    const decided = this.decisions.of(batch);
    const present = this.count(decided);
    const kept = present.filter((code) => !refuses(decided.decisions[code] as Decision));
    const passing = kept.length === present.length ? 'all' : decided.rowsOf(kept);
    if (passing !== 'all') this.countDropped(batch, outside(passing, batch.numRows));
    const rows = passing === 'all' ? undefined : membersOf(passing);
    const length = rows?.length ?? batch.numRows;
    if (length === 0) return undefined;
    const edits = editsOf(decided, kept);
    const columns = this.fields.map((governed, i) => {
      const data = batch.data.children[i] as Data;
      const edit = edits.members.get(governed.field.name);
      const left = this.redactor.redact(governed, data, rows, edit, allocate);
      if (edit) {
        const isGone = !rows && edit.remove && !edit.pseudonymise && edit.members.size === 0 && !governed.isText;
        this.expose(
          governed.field.name,
          () => (isGone ? lostBytes(data, left) : undefined) ?? redactedBytes(data, passing, edit),
        );
      }
      return left;
    });
    return new RecordBatch(this.schema, new Data(new Struct(this.schema.fields), 0, length, 0, {}, columns));
  }

  /**
   * Counts the decisions of a batch.
   * @returns the codes that occur in it
   */
  private count({ counts, decisions }: BatchDecisions): number[] {
    const present: number[] = [];
    counts.forEach((count, code) => {
      if (count === 0) return;
      const decision = decisions[code] as Decision;
      present.push(code);
      // A row that is dropped needs no redaction; a failure would disclose that it is there.
      if (!refuses(decision)) this.check(decision);
      this.counted.decisions[decision.effect] += count;
      const { rule } = decision;
      if (rule !== undefined) this.counted.byRule[rule] = (this.counted.byRule[rule] ?? 0) + count;
    });
    return present;
  }

  /** Fails closed: throws if a redaction is not possible. */
  private check(decision: Decision): void {
    if (this.checked.has(decision)) return;
    for (const pointer of [...decision.remove, ...decision.pseudonymise]) checkPointer(this.source, pointer);
    this.checked.add(decision);
  }

  private countDropped(batch: RecordBatch, dropped: RowMask): void {
    this.source.fields.forEach(
      ({ name }, i) => void this.expose(name, () => valueBytes(batch.data.children[i] as Data, dropped)),
    );
  }

  private expose(column: string, bytes: () => number): void {
    const category = Object.hasOwn(this.facts.categories, column) ? this.facts.categories[column] : undefined;
    if (category === undefined) return;
    this.counted.exposureBytes[category] = (this.counted.exposureBytes[category] ?? 0) + bytes();
  }
}

function noCounts(): StreamCounts {
  return {
    decisions: { allow: 0, deny: 0, redact: 0, reroute: 0 },
    byRule: Object.create(null),
    exposureBytes: Object.create(null),
  };
}

/** A stream has no alternative target, so a reroute withholds the row. */
function refuses({ effect }: Decision): boolean {
  return effect === 'deny' || effect === 'reroute';
}
