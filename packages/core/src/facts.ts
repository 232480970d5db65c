/**
 * The facts that rules can refer to, and the resulting decision: the port between topology, rule engines and services.
 */
import type { Effect } from './schema/rules.ts';

/** Facts about a request, as stated by its sender. */
export interface RequestFacts {
  class: string;
  /** Region of origin. */
  origin: string;
  /** Categories of the data it carries: personal, health, payment, … */
  categories: string[];
  /** Consents of the data subject. */
  consents: string[];
  purpose: string;
  payload: Record<string, unknown>;
}

/** Facts about the target service. All of them are static: known at load. */
export interface TargetFacts {
  service: string;
  node: string;
  region: string;
  tags: string[];
}

/** Services that have received the data so far, in order of visit, and their regions without repeats. */
export interface FlowFacts {
  services: string[];
  regions: string[];
}

export interface Facts {
  request: RequestFacts;
  target: TargetFacts;
  flow: FlowFacts;
}

/** `Decision.ruleIndex` when no rule matched. */
export const noRule = -1;

/** The decision for one step. */
export interface Decision {
  effect: Effect;
  /** First rule of the winning effect; undefined when the default effect applied. */
  rule: string | undefined;
  /** Its `index` in the whole rule set, as sent on the wire; `noRule` when the default effect applied. */
  ruleIndex: number;
  /** All rules that matched, in order of effect strength, priority (higher first), file order. */
  rules: string[];
  /**
   * JSON pointers into the payload that the target must not receive: those of all matching `redact` rules, without
   * repeats, in the order of `rules`. Filled under `redact` and `reroute` (for the alternative), empty otherwise.
   */
  remove: string[];
  /**
   * JSON pointers whose values are replaced by pseudonyms; same order. A pointer that is also in `remove` is listed
   * only there.
   */
  pseudonymise: string[];
  /** Alternative service when `effect` is `reroute`. */
  to: string | undefined;
}
