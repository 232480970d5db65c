/** The registry: one line for each kind of study. Measuring and reporting code loads when it is used. */

import { access } from '@topo-bench/access-study';
import type { AccessEntry } from '@topo-bench/access-study/parts';
import { MetricTable } from '@topo-bench/comparison/metric-table';
import { routing } from '@topo-bench/routing';
import { store } from '@topo-bench/store-study';
import type { StoreEntry } from '@topo-bench/store-study/parts';
import { stream } from '@topo-bench/stream-study';
import type { StreamEntry } from '@topo-bench/stream-study/parts';
import type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';
import { transfer } from '@topo-bench/transfer-study';
import type { TransferEntry } from '@topo-bench/transfer-study/parts';
import { studyReportFrom } from './study-report-of.ts';

/** An entry of any kind of study. */
export type AnyEntry = StoreEntry & TransferEntry & AccessEntry & StreamEntry;

/** In the order of matching: routing has no settings of its own, so it matches all remaining experiments. */
export const studies: readonly KindOfStudy[] = [transfer, store, access, stream, routing];

/** The figures by which their runs can be compared. */
export const studyMetrics = new MetricTable(studies.flatMap(({ metrics }) => metrics ?? []));

/** Finds the report of runs of these kinds. */
export const studyReportOf = studyReportFrom(studies);

export type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';
export { studyReportFrom } from './study-report-of.ts';
