/** The registry: one line for each kind of study. Measuring and reporting code loads when it is used. */
import { MetricTable } from '@topo-bench/comparison/metric-table';
import type { AccessEntry } from './access/parts.ts';
import { access } from './access/study.ts';
import type { KindOfStudy } from './kind-of-study.ts';
import { routing } from './routing/study.ts';
import type { StoreEntry } from './store/parts.ts';
import { store } from './store/study.ts';
import type { StreamEntry } from './stream/parts.ts';
import { stream } from './stream/study.ts';
import { studyReportFrom } from './study-report-of.ts';
import type { TransferEntry } from './transfer/parts.ts';
import { transfer } from './transfer/study.ts';

/** An entry of any kind of study. */
export type AnyEntry = StoreEntry & TransferEntry & AccessEntry & StreamEntry;

/** In the order of matching: routing has no settings of its own, so it matches all remaining experiments. */
export const studies: readonly KindOfStudy[] = [transfer, store, access, stream, routing];

/** The figures by which their runs can be compared. */
export const studyMetrics = new MetricTable(studies.flatMap(({ metrics }) => metrics ?? []));

/** Finds the report of runs of these kinds. */
export const studyReportOf = studyReportFrom(studies);

export type { KindOfStudy } from './kind-of-study.ts';
export { studyReportFrom } from './study-report-of.ts';
