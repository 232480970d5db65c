/** Input of the page's script. It is embedded as JSON and uses only types of JSON. */
import type { Drawing } from '@topo-bench/core/drawing';

export interface ChartData {
  /** Factors with several levels; the levels are display text. */
  factors: { name: string; levels: string[] }[];
  cells: ChartCell[];
  /** Shares of requests, from 0 to 1, at which `quantilesMs` are taken. */
  quantiles: number[];
  /** Display text for the time of an unfinished request. */
  infinite: string;
  /** Time metrics that the page can show, the initial one first; empty without charts of single requests. */
  times: ('rtt' | 'responseTime')[];
  /** Panels of figures by level, by name of the figure. */
  lines: Record<string, LinePanel[]>;
  /** Panels of counts over time, by name of the figure. */
  series: Record<string, SeriesPanel[]>;
  /** The topology by architecture; empty where it is not known. */
  drawings: Record<string, Drawing>;
}

/** Counts of one cell in equal intervals since the load began. */
export interface SeriesPanel {
  /** Index of the cell in the report. */
  cell: number;
  title: string;
  /** Name of the counts, with their interval. */
  heading: string;
  stepMs: number;
  /** Upper end of the axis. */
  max: number;
  /** Whether the counts are parts of one whole: areas, the first at the bottom. */
  stacked?: true;
  /** `colour`: a CSS variable. */
  lines: { name: string; colour: string; values: number[] }[];
}

/** A figure of cells against levels of a factor. */
export interface LinePanel {
  title: string;
  /** Name of the figure, with its unit. */
  heading: string;
  /** Label below the axis. */
  axis: string;
  levels: string[];
  /** Positions of the levels on the axis, from 0 to `levels.length - 1`; default: even distances. */
  positions?: number[];
  lines: {
    name: string;
    /** CSS variable of the colour. */
    colour: string;
    /** Indexes of the levels between which the knee lies. */
    knee?: [after: number, before: number];
    /**
     * `value`: median of the repetitions, null without any and where it is infinite; `repetitions`: the finite ones of
     * `count`; `interval`: of the median, at 95%, if there is a finite one.
     */
    points: {
      cell: number;
      level: number;
      value: number | null;
      repetitions: number[];
      count: number;
      interval?: [low: number, high: number];
    }[];
  }[];
}

export interface ChartCell {
  /** Index of the level, per factor in `factors`; −1 for a factor that the cell does not have. */
  levels: number[];
  /** Level of the compared factor, as display text. */
  label: string;
  /** CSS variable of the colour. */
  colour: string;
  /** Levels of all other factors, as display text. Charts have one panel per setting. */
  setting: string;
  /** By metric; absent without samples. */
  times?: Partial<Record<'rtt' | 'responseTime', CellTimes>>;
  /** Episodes of slow requests in valid repetitions; absent without any. */
  episodes?: ChartEpisode[];
  /** Planned events of valid repetitions; absent without any. */
  events?: ChartEvent[];
  /** Use of processors per valid repetition; absent without series. */
  usage?: RepetitionUsage[];
  /** Requests per second, per valid repetition; `answered` is null without samples. */
  rates: { repetition: number; offered: number; sent: number; answered: number | null }[];
}

/** Times are since the start of the load. */
export interface ChartEpisode {
  repetition: number;
  startMs: number;
  endMs: number;
  /** Number of slow requests, and their cause. */
  text: string;
}

/** Times are since the start of the load. The end is that of the repetition for a role that stays down. */
export interface ChartEvent {
  repetition: number;
  startMs: number;
  endMs: number;
  /** Its name, and what it did to requests. */
  text: string;
}

/** One repetition; null in an interval without readings. */
export interface RepetitionUsage {
  repetition: number;
  /** End of each interval, since the start of the load. */
  endMs: number[];
  roles: { role: string; cpuPercent: (number | null)[]; busyPercent?: (number | null)[] }[];
  /** Percent of all cores. */
  host?: { busyPercent: (number | null)[]; foreignPercent?: (number | null)[] | undefined };
}

/** Times in ms; null in a window without requests, or for an unfinished request. */
export interface CellTimes {
  count: number;
  unfinished: number;
  /** At the `quantiles` with 1 − q ≥ 1 / count, then the max. */
  quantilesMs: (number | null)[];
  repetitions: { repetition: number; spanMs: number; medianMs: (number | null)[]; maxMs: (number | null)[] }[];
}
