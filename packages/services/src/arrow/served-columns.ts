/**
 * The columns of a service for its callers, over HTTP and Flight. Applies the rules of the service and counts decisions
 * and exposure.
 */

import type { FlightChunk } from '@topo-bench/arrow-flight';
import { BatchMemory, GovernedStream, type RowFacts, type SeededTable, type StreamRules } from '@topo-bench/columns';
import type { ArrowSource } from '@topo-bench/columns/http';
import type { RoleArrow } from '@topo-bench/core';
import { targetFacts } from '@topo-bench/topology';
import type { RecordBatch, Schema } from 'apache-arrow';
import type { RoleCounters } from '../control/role-counters.ts';
import type { FullConfig } from '../full-config.ts';
import { streamRules } from './stream-rules.ts';

export interface ColumnGate {
  /** Schema of the batches that `pass` returns. */
  schema: Schema;
  /**
   * @param memory for the values that rules change, kept until it is released; default: fresh memory
   * @returns undefined when no row of the batch passes
   */
  pass(batch: RecordBatch, memory?: BatchMemory): RecordBatch | undefined;
}

/** One stream of the table. */
export interface ServedStream extends ArrowSource {
  /** Batches over Flight, whose memory is reused once they have been written. */
  chunks(signal: AbortSignal): AsyncIterable<FlightChunk>;
}

export class ServedColumns {
  private readonly rules: StreamRules | undefined;
  private readonly facts: RowFacts;

  /** @throws TopoBenchError when the rules cannot be used */
  constructor(
    { graph, responsibleFor: [own = -1], secrets }: FullConfig,
    { table, rules }: RoleArrow,
    private readonly counters: RoleCounters,
  ) {
    this.rules = rules && streamRules(rules, targetFacts(graph, own), secrets.pseudonymKey);
    const held = table.columns.filter(({ category }) => category !== 'none');
    const { class: kind, purpose, origin, consents } = table.facts;
    const categories = Object.fromEntries(held.map(({ name, category }) => [name, category]));
    this.facts = { class: kind, purpose, origin, consents, categories };
  }

  /** Whether the service has rules. */
  get decides(): boolean {
    return this.rules !== undefined;
  }

  /**
   * One stream of the table.
   * @param purpose as the caller states it; defaults to that of the topology
   * @throws TopoBenchError `TB_ARROW_DENIED`
   */
  open(table: SeededTable, purpose: string | undefined, part = 0, parts = 1): ServedStream {
    const { schema, pass } = this.gate(table.schema, purpose);
    return {
      schema,
      async *batches(signal) {
        for await (const batch of table.batches(signal, part, parts)) {
          const passed = pass(batch);
          if (passed) yield passed;
        }
      },
      async *chunks(signal) {
        for await (const batch of table.batches(signal, part, parts)) {
          const memory = new BatchMemory();
          const passed = pass(batch, memory);
          if (passed) yield { batch: passed, onWritten: memory.release };
        }
      },
    };
  }

  /**
   * Applies the rules to batches of one schema.
   * @throws TopoBenchError `TB_ARROW_DENIED`
   */
  gate(schema: Schema, purpose: string | undefined): ColumnGate {
    if (!this.rules) return { schema, pass: (batch) => batch };
    const stream = new GovernedStream(schema, { ...this.facts, purpose: purpose ?? this.facts.purpose }, this.rules);
    const pass: ColumnGate['pass'] = (batch, memory) => {
      const passed = stream.apply(batch, memory?.allocate);
      this.count(stream, batch.numRows);
      return passed;
    };
    return { schema: stream.schema, pass };
  }

  private count(stream: GovernedStream, rows: number): void {
    const { decisions, byRule, exposureBytes } = stream.takeCounts();
    const { counters } = this;
    for (const effect of ['allow', 'deny', 'redact', 'reroute'] as const)
      counters.decisions[effect] += decisions[effect];
    counters.columns.rows += rows;
    addCounts(counters.columns.byRule, byRule);
    addCounts(counters.columns.exposureBytes, exposureBytes);
  }
}

function addCounts(total: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
}
