/** One kind of study as the registry lists it: how it measures, what it compares, and how it reports. */
import type { StudyMetrics } from '@topo-bench/comparison';
import type { MeasuredStudy } from '@topo-bench/measured';
import type { StudyReport } from '@topo-bench/report';

export type KindOfStudy = MeasuredStudy & {
  /** Figures next to those that every cell has; absent where there are none. */
  readonly metrics?: StudyMetrics;
  /** Loads for reports only; measurements need none of it. */
  report(): Promise<StudyReport>;
};
