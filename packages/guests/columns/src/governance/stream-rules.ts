/**
 * The port between column governance and the rule engine (docs/internals/columns.md). Each row is a
 * request, the service is the target, and the columns are the payload.
 */
import type { Decision, RequestFacts } from '@topo-bench/core';

/** The facts that the conditions of the rules read. A superset is correct but slower. */
export interface AskedFacts {
  origin: boolean;
  consents: boolean;
  /** Names of payload members; `everything` if a condition reads the whole payload. */
  payload: readonly string[] | 'everything';
}

export interface StreamRules {
  /** Decides one row for the target of the stream. */
  decide(request: RequestFacts): Decision;
  asks: AskedFacts;
  /**
   * The first rule that refuses every row, whatever it contains; undefined if there is none.
   * @param request its payload is empty
   * @param row members of the request that the rows determine
   */
  refusal(request: RequestFacts, row: AskedFacts): string | undefined;
  /** All JSON pointers that a rule for the target may pseudonymise. */
  mayPseudonymise: readonly string[];
  /** The pseudonym of a JSON value, as the JSON routes of the run compute it. */
  pseudonym(value: unknown): string;
}

/** Sources of the facts of a row. */
export interface RowFacts {
  class: string;
  purpose: string;
  /** Column with the region of origin; without one the origin is empty. */
  origin: string | undefined;
  /** Column with the list of consents; without one there are no consents. */
  consents: string | undefined;
  /** Data category by column name; other columns have none. */
  categories: Readonly<Record<string, string>>;
}

/** Outcome of the rows of a stream. */
export interface StreamCounts {
  /** One decision per row. */
  decisions: { allow: number; deny: number; redact: number; reroute: number };
  /** Number of rows by deciding rule, without those decided by the default effect. */
  byRule: Record<string, number>;
  /** Bytes of values withheld at the service, by data category. */
  exposureBytes: Record<string, number>;
}
