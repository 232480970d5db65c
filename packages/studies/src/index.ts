/** The registry: one line for each kind of study. Measuring and reporting code loads when it is used. */
import { MetricTable } from '@topo-bench/comparison/metric-table';
import { access } from './access/study.ts';
import type { KindOfStudy } from './kind-of-study.ts';
import { routing } from './routing/study.ts';
import { store } from './store/study.ts';
import { stream } from './stream/study.ts';
import { studyReportFrom } from './study-report-of.ts';
import { transfer } from './transfer/study.ts';

/** In the order of matching: routing has no settings of its own, so it matches all remaining experiments. */
export const studies: readonly KindOfStudy[] = [transfer, store, access, stream, routing];

/** The figures by which their runs can be compared. */
export const studyMetrics = new MetricTable(studies.flatMap(({ metrics }) => metrics ?? []));

/** Finds the report of runs of these kinds. */
export const studyReportOf = studyReportFrom(studies);

export type { KindOfStudy } from './kind-of-study.ts';
export { studyReportFrom } from './study-report-of.ts';
