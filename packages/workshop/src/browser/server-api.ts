/** Messages between the page and its server. */
import type { Texts } from '../predict/read-topology.ts';
import type { Settings } from '../predict/settings.ts';

export interface SaveRequest extends Texts {
  /** The texts that the page was opened with, or saved last: a file that changed meanwhile is not overwritten. */
  before: Texts;
}

export interface ProveRequest {
  texts: Texts;
  settings: Settings;
  architecture: string;
}

/** A measured cell: medians over its valid repetitions, µs. */
export interface MeasuredCell {
  architecture: string;
  rate: number;
  repetitions: number;
  invalid: string[];
  requests: number;
  median: { value: number; interval?: [low: number, high: number] };
  p95: { value: number; interval?: [low: number, high: number] };
  hops: number;
  cpuUs: number;
  /** Milliseconds since 1970. */
  at: number;
  folder: string;
}

/** Lines of the answer to `prove`. */
export type ProveEvent =
  | { kind: 'progress'; text: string; share: number; remainingSeconds?: number }
  | { kind: 'measured'; cell: MeasuredCell }
  | { kind: 'failed'; message: string; hint?: string };
