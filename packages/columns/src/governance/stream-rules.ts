/**
 * Rules as a stream of columns meets them: each row is a request, the service is the target, and the columns are the
 * payload. The port between governance here and whatever evaluates rules (docs/decisions/0013-governed-columns.md).
 */
import type { Decision, RequestFacts } from '@topo-bench/core/facts';

/** What the conditions of some rules look at; a superset is right, only slower. */
export interface AskedFacts {
  origin: boolean;
  consents: boolean;
  /** Names of payload members, or all of them where a condition looks at the payload as a whole. */
  payload: readonly string[] | 'everything';
}

export interface StreamRules {
  /** The decision about one row, for the target that the stream belongs to. */
  decide(request: RequestFacts): Decision;
  asks: AskedFacts;
  /** Every JSON pointer that some rule for the target may pseudonymise. */
  mayPseudonymise: readonly string[];
  /** The pseudonym of a JSON value: the one that the JSON routes of the run give it. */
  pseudonym(value: unknown): string;
}

/** Where the facts of a row are. */
export interface RowFacts {
  class: string;
  purpose: string;
  /** Name of the column with the region of origin; without one it is empty. */
  origin: string | undefined;
  /** Name of the column with the list of consents; without one there are none. */
  consents: string | undefined;
  /** Category of data by column name; columns without one hold none. */
  categories: Readonly<Record<string, string>>;
}

/** What became of the rows of a stream. */
export interface StreamCounts {
  /** One decision per row. */
  decisions: { allow: number; deny: number; redact: number; reroute: number };
  /** Rows by the id of the rule that decided; those of the default effect are in none. */
  byRule: Record<string, number>;
  /** Bytes of withheld values, which lay in the service, by category of data. */
  exposureBytes: Record<string, number>;
}
