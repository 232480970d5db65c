/** Input of the page's script. It is embedded as JSON and uses only types of JSON. */
export interface ChartData {
  /** Factors with several levels; the levels are display text. */
  factors: { name: string; levels: string[] }[];
  cells: ChartCell[];
  /** Shares of requests, from 0 to 1, at which `quantilesMs` are taken. */
  quantiles: number[];
  /** Display text for the time of an unfinished request. */
  infinite: string;
}

export interface ChartCell {
  /** Index of the level, per factor in `factors`. */
  levels: number[];
  /** Level of the compared factor, as display text. */
  label: string;
  /** CSS variable of the colour. */
  colour: string;
  /** Levels of all other factors, as display text. Charts have one panel per setting. */
  setting: string;
  /** By metric; absent without samples. */
  times?: Record<'rtt' | 'responseTime', CellTimes>;
  /** Requests per second, per valid repetition; `answered` is null without samples. */
  rates: { repetition: number; offered: number; sent: number; answered: number | null }[];
}

/** Times in ms; null in a window without requests, or for an unfinished request. */
export interface CellTimes {
  count: number;
  unfinished: number;
  /** At the `quantiles` with 1 − q ≥ 1 / count, then the max. */
  quantilesMs: (number | null)[];
  repetitions: { repetition: number; spanMs: number; medianMs: (number | null)[]; maxMs: (number | null)[] }[];
}
