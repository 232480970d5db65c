/** One kind of study as the registry lists it: how it measures, and how it reports. */
import type { Study } from '@topo-bench/experiment';
import type { StudyReport } from '@topo-bench/report';

export interface KindOfStudy extends Study {
  /** Loads when a report is made: measuring needs none of it. */
  report(): Promise<StudyReport>;
}
