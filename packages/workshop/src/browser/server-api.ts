/** Messages between the page and its server. */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Price } from '@topo-bench/report';
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
  /** What the valid repetitions are marked with, e.g. the share of other programs. */
  flags: string[];
  median: { value: number; interval?: [low: number, high: number] };
  p95: { value: number; interval?: [low: number, high: number] };
  hops: number;
  cpuUs: number;
  /** Milliseconds since 1970. */
  at: number;
  folder: string;
}

export interface DecideRequest {
  texts: Texts;
  settings: Settings;
  /** Number of the compared routers. */
  routers: number;
  /** Architecture that is chosen by hand; default: the one that is shown to be best. */
  option?: string;
  price: Price;
  /** For the record. */
  notes: string;
}

/** What the answer becomes with an assumption divided and multiplied by `factor`: `option` against `against`. */
export interface Assumptions {
  option: string;
  against: string;
  factor: number;
  /** First the one that moves the answer most. */
  effects: {
    name: string;
    source: string;
    lower: AnswerFigure;
    higher: AnswerFigure;
    agrees: boolean;
    overturns: boolean;
  }[];
}

/** Difference in the median, %; `state` states why there is none. */
export interface AnswerFigure {
  percent: number;
  state?: string;
}

export interface DecidedSystem {
  chosen: string;
  /** It contains all files; relative to where the command was started. */
  folder: string;
  answer: string[];
  /** The sensitivity in words. */
  sentences: string[];
  /** A point for each option and rate, req/s: medians of valid repetitions. */
  curve: { option: string; rate: number; mediansUs: number[] }[];
  assumptions: Assumptions;
  files: { name: string; text: string }[];
}

/** Lines of the answer to a job. */
export type JobEvent =
  | { kind: 'progress'; text: string; share?: number; remainingSeconds?: number }
  | { kind: 'measured'; cell: MeasuredCell }
  /** What the figures of the page follow from now. */
  | { kind: 'calibrated'; calibration: Calibration; file: string }
  /** Why a measured cell is not part of the calibration. */
  | { kind: 'not-added'; message: string; hint?: string }
  | { kind: 'decided'; decided: DecidedSystem }
  | { kind: 'failed'; message: string; hint?: string };
