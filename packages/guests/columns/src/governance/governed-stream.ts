/**
 * Applies rules to a stream of columns. It refuses the whole stream, drops denied rows, and redacts values. The result
 * equals that of deciding each row alone.
 */
import { type Decision, TopoBenchError } from '@topo-bench/core';
import { Data, RecordBatch, Schema, Struct } from 'apache-arrow';
import { type Allocate, freshMemory } from './batch-memory.ts';
import { type Edit, editOf, memberEdit, removal } from './edits.ts';
import { exposedBytes } from './exposed-bytes.ts';
import { checkPointer, type GovernedField, governedFields } from './governed-schema.ts';
import { ColumnRedactor, isPassable } from './redact-column.ts';
import { RowDecisions, refuses } from './row-decisions.ts';
import type { RowFacts, StreamCounts, StreamRules } from './stream-rules.ts';

export class GovernedStream {
  /** Schema of the output: every column is nullable, and columns that may be pseudonymised are text. */
  readonly schema: Schema;
  private counted = noCounts();
  private readonly fields: readonly GovernedField[];
  private readonly decisions: RowDecisions;
  private readonly redactor: ColumnRedactor;
  private readonly edits = new WeakMap<Decision, Edit>();

  /**
   * @throws TopoBenchError `TB_ARROW_DENIED` when the rules refuse every row, whatever it contains;
   * `TB_ARROW_UNSUPPORTED` when a redaction is not possible
   */
  constructor(
    private readonly source: Schema,
    private readonly facts: RowFacts,
    rules: StreamRules,
  ) {
    this.decisions = new RowDecisions(source, facts, rules);
    const { refusal } = this.decisions;
    if (refusal !== undefined) {
      throw new TopoBenchError('TB_ARROW_DENIED', `${refusal} refuses this stream as a whole`, {
        hint: 'state another purpose, or use a service that the rules allow',
      });
    }
    this.fields = governedFields(source, rules.mayPseudonymise);
    this.schema = new Schema(
      this.fields.map(({ field }) => field),
      source.metadata,
    );
    this.redactor = new ColumnRedactor((value) => rules.pseudonym(value));
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
  apply(batch: RecordBatch, allocate: Allocate = freshMemory): RecordBatch | undefined {
    const edits = this.decisions.of(batch).map((decision) => {
      this.count(decision);
      return this.editOf(decision);
    });
    const rows = Int32Array.from(edits.keys()).filter((row) => edits[row] !== removal);
    const columns = this.fields.map((governed, i) => {
      const { name } = governed.field;
      const data = batch.data.children[i] as Data;
      const columnEdits = edits.map((edit) => memberEdit(edit, name));
      const isTouched = columnEdits.some((edit) => edit !== undefined);
      if (isTouched) this.expose(name, data, columnEdits);
      if (!isTouched && isPassable(governed)) return data;
      const keptEdits = columnEdits.filter((_, row) => edits[row] !== removal);
      return this.redactor.redact(governed, data, rows, keptEdits, allocate);
    });
    if (rows.length === 0) return undefined;
    return new RecordBatch(this.schema, new Data(new Struct(this.schema.fields), 0, rows.length, 0, {}, columns));
  }

  private count({ effect, rule }: Decision): void {
    this.counted.decisions[effect]++;
    if (rule !== undefined) this.counted.byRule[rule] = (this.counted.byRule[rule] ?? 0) + 1;
  }

  /**
   * A row that is dropped needs no redaction; a failure would disclose that it is there.
   * @throws TopoBenchError `TB_ARROW_UNSUPPORTED` if a redaction is not possible
   */
  private editOf(decision: Decision): Edit {
    if (refuses(decision)) return removal;
    const known = this.edits.get(decision);
    if (known) return known;
    for (const pointer of [...decision.remove, ...decision.pseudonymise]) checkPointer(this.source, pointer);
    const edit = editOf(decision);
    this.edits.set(decision, edit);
    return edit;
  }

  private expose(column: string, data: Data, edits: readonly (Edit | undefined)[]): void {
    const category = Object.hasOwn(this.facts.categories, column) ? this.facts.categories[column] : undefined;
    if (category === undefined) return;
    const { exposureBytes } = this.counted;
    exposureBytes[category] = (exposureBytes[category] ?? 0) + exposedBytes(data, edits);
  }
}

function noCounts(): StreamCounts {
  return {
    decisions: { allow: 0, deny: 0, redact: 0, reroute: 0 },
    byRule: Object.create(null),
    exposureBytes: Object.create(null),
  };
}
