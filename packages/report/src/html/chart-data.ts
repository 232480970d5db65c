/** What the page's script draws from: JSON in the page, so of types that JSON has. */
export interface ChartData {
  /** Those that vary, with their levels in words. */
  factors: { name: string; levels: string[] }[];
  cells: ChartCell[];
  /** Shares of requests that `quantilesMs` belong to. */
  quantiles: number[];
  /** How the time of an unfinished request is written. */
  infinite: string;
}

export interface ChartCell {
  /** Per factor, the place of the level. */
  levels: number[];
  /** Level of the compared factor, in words. */
  label: string;
  /** CSS variable of its colour. */
  colour: string;
  /** Levels of all other factors, in words: charts have a panel for each. */
  setting: string;
  /** By metric; absent without samples. */
  times?: Record<'rtt' | 'responseTime', CellTimes>;
  /** Per valid repetition. */
  rates: { repetition: number; offered: number; sent: number; answered: number | null }[];
}

/** In ms; null where there is no request, or where unfinished ones begin. */
export interface CellTimes {
  count: number;
  unfinished: number;
  /** At `quantiles`, as far as they go, then the maximum. */
  quantilesMs: (number | null)[];
  repetitions: { repetition: number; spanMs: number; medianMs: (number | null)[]; maxMs: (number | null)[] }[];
}
