/** The time that a trend shows. Each kind of study has its own: an interval of a request that all of its cells have. */
import { describeLevel, isLoadFactor } from '@topo-bench/core';
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import type { Level } from '../model/factors.ts';

export interface TrendFigure {
  /** In the singular, within a sentence: `round-trip time`. */
  name: string;
  of(cell: Cell): Summary;
  /** What the time measures, as a sentence; absent where the page explains it elsewhere. */
  note?: string;
  /** Levels in words by factor, where a study has its own. These factors change the load, not the work of a request. */
  loads?: Readonly<Record<string, (level: Level) => string>>;
}

export const roundTripTime: TrendFigure = { name: 'round-trip time', of: ({ rtt }) => rtt };

/** Whether levels of a factor change the load only. */
export function isLoadOf({ loads }: TrendFigure, factor: string): boolean {
  return isLoadFactor(factor) || Object.hasOwn(loads ?? {}, factor);
}

/** A level within a sentence: `80 req/s`. */
export function levelOf({ loads }: TrendFigure, factor: string, level: Level): string {
  return loads?.[factor]?.(level) ?? describeLevel(factor, level);
}

/** `Round-trip time`. */
export function titleOf({ name }: TrendFigure): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}
