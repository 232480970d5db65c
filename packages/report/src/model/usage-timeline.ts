/** Use of processors and event loops over one repetition, whichever kind of study recorded it. */
import type { Cell, UseSeries } from '@topo-bench/core/schema/result';

export interface UsageTimeline {
  repetition: number;
  /** End of each interval, in ms since the start of the load. */
  endMs: number[];
  /** A line per role, in reading order. */
  roles: UsageSeries[];
  /** Percent of the time of all cores. */
  host?: { busyPercent: (number | null)[]; foreignPercent?: (number | null)[] | undefined };
}

/** Null in an interval without readings. */
export interface UsageSeries {
  role: string;
  /** 100 is one core busy all the time. */
  cpuPercent: (number | null)[];
  /** Share of the time in which the event loop was busy, 0 to 1; absent where it was not recorded. */
  busyShare?: (number | null)[];
}

/** Use of processors over the load of a repetition, by role, as the payload of a study has it. */
export type SeriesOf = (cell: Cell) => Readonly<Record<string, UseSeries>> | undefined;

/**
 * Undefined for results without series, such as those of earlier versions.
 * @param seriesOf of the study, for entries without a timeline
 */
export function usageTimeline(cell: Cell, seriesOf?: SeriesOf): UsageTimeline | undefined {
  const { repetition, timeline } = cell;
  if (timeline) {
    const { intervalMs, roles, host } = timeline;
    const [first] = Object.values(roles);
    return {
      repetition,
      endMs: (first?.cpuPercent ?? []).map((_, at) => (at + 1) * intervalMs),
      roles: Object.entries(roles).map(([role, { cpuPercent, busyShare }]) => ({ role, cpuPercent, busyShare })),
      ...(host && { host }),
    };
  }
  const series = Object.entries(seriesOf?.(cell) ?? {});
  const [first] = series;
  if (!first) return undefined;
  return {
    repetition,
    endMs: first[1].atMs,
    roles: series.map(([role, { cpuPercent }]) => ({ role, cpuPercent })),
  };
}
