/**
 * The heat map that a job must leave, from the input and the settings alone. It shares no code with the stream
 * processor: cells by halving, sums in a `Map`, lateness from the latest time of all earlier events.
 */

import type { HeatMapEntries } from '@topo-bench/streams/map';
import type { GpsPoints } from '@topo-bench/streams/tracks';
import { cellByHalving } from './geohash-oracle.ts';

export interface ExpectedEntry {
  crossings: number;
  /** Latest event time in ms. */
  timeMs: number;
}

export interface ExpectedHeatMap {
  cells: ReadonlyMap<number, ExpectedEntry>;
  late: number;
}

export interface OracleWindows {
  lengthMs: number;
  outOfOrderMs: number;
}

/** Columns in the order of arrival. */
type OracleEvents = Pick<HeatMapEntries, 'cells' | 'crossings' | 'timesMs'>;

export class HeatMapOracle {
  readonly #events: OracleEvents;
  readonly #windows: OracleWindows | undefined;

  private constructor(events: OracleEvents, windows: OracleWindows | undefined) {
    this.#events = events;
    this.#windows = windows;
  }

  /** For a generated heat map: each point is one crossing. */
  static ofPoints(points: GpsPoints, cellLength: number, windows: OracleWindows | undefined): HeatMapOracle {
    const { count, latitudes, longitudes, timesMs } = points;
    const cells = Float64Array.from({ length: count }, (_, i) =>
      cellByHalving(cellLength, latitudes[i] as number, longitudes[i] as number),
    );
    return new HeatMapOracle({ cells, crossings: new Float64Array(count).fill(1), timesMs }, windows);
  }

  /** For a copied heat map. */
  static ofEntries(entries: HeatMapEntries, windows: OracleWindows | undefined): HeatMapOracle {
    return new HeatMapOracle(entries, windows);
  }

  /** @param count points or entries of the job, from the first */
  expected(count: number): ExpectedHeatMap {
    const cells = new Map<number, ExpectedEntry>();
    let late = 0;
    let latestMs = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const timeMs = this.#events.timesMs[i] as number;
      const isLate = isLateFor(this.#windows, timeMs, latestMs);
      latestMs = Math.max(latestMs, timeMs);
      if (isLate) {
        late++;
        continue;
      }
      const cell = this.#events.cells[i] as number;
      const crossings = this.#events.crossings[i] as number;
      const entry = cells.get(cell);
      if (!entry) cells.set(cell, { crossings, timeMs });
      else {
        entry.crossings += crossings;
        entry.timeMs = Math.max(entry.timeMs, timeMs);
      }
    }
    return { cells, late };
  }
}

/** A window is complete when the latest time is its end plus the allowed disorder. */
export function isLateFor(windows: OracleWindows | undefined, timeMs: number, latestMs: number): boolean {
  if (!windows) return false;
  const { lengthMs, outOfOrderMs } = windows;
  return timeMs - (timeMs % lengthMs) + lengthMs + outOfOrderMs <= latestMs;
}
