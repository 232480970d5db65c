/** The data common to the reports of all kinds of study. */
import type { MetricTable } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import type { BoxPlot } from './box-plot.ts';
import type { CellGroup } from './cell-group.ts';
import type { Factor } from './factors.ts';
import type { SampleFigures } from './sample-figures.ts';
import type { TimeMetric } from './time-metric.ts';
import type { SeriesOf } from './usage-timeline.ts';

export interface ReportModel {
  runs: readonly RunFolder[];
  /** All factors, including those with one level. */
  factors: Factor[];
  /** Ordered by factors. Planned cells without any repetition are included, empty. */
  groups: CellGroup[];
  /** Min wait for an unfinished request, in µs; NaN if runs differ or have no drain. */
  drainUs: number;
  /** By `cellKey` of the factors; empty unless requested. */
  boxPlots: Record<TimeMetric, Map<string, BoxPlot>>;
  /** By `cellKey` of the factors; empty unless requested. Cells with missing samples are absent. */
  sampleFigures: Map<string, SampleFigures>;
  /** Figures that thresholds can name. */
  metrics: MetricTable;
  /** Use of resources in entries without a timeline; absent where the study has none. */
  seriesOf?: SeriesOf;
}
