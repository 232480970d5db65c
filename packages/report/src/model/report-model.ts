/** The data that reports of all kinds of study share. */
import type { MetricTable } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import type { BoxPlot } from './box-plot.ts';
import type { CellGroup } from './cell-group.ts';
import type { Factor } from './factors.ts';
import type { SampleFigures } from './sample-figures.ts';
import type { TimeMetric } from './time-metric.ts';

export interface ReportModel {
  runs: RunFolder[];
  /** All factors, those with one level included. */
  factors: Factor[];
  /** Ordered by factors. Planned cells without any repetition are included, empty. */
  groups: CellGroup[];
  /** Min wait for an unfinished request, in µs; NaN if runs differ or have no drain. */
  drainUs: number;
  /** By `cellKey` of the factors; empty unless asked for. */
  boxPlots: Record<TimeMetric, Map<string, BoxPlot>>;
  /** Likewise; without cells of which samples are missing. */
  sampleFigures: Map<string, SampleFigures>;
  /** Figures that thresholds can name. */
  metrics: MetricTable;
}
