/** A finding of the published study with its verdict here. */
import type { FindingVerdict } from '@topo-bench/study-kit/published-claims';

export interface Finding extends Judged {
  source: string;
  /** Levels of varying options in words. */
  options: string;
}

export interface Judged {
  /** In words of the study. */
  statement: string;
  verdict: FindingVerdict | 'not testable';
  /** One for each claim; empty for a finding whose variants or volumes were not measured. */
  evidence: string[];
}
