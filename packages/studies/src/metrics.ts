/** The figures by which runs of every kind of study can be compared. Loads no study: comparing needs none. */
import { MetricTable } from '@topo-bench/comparison';
import { storeMetrics } from './store/metrics.ts';
import { transferMetrics } from './transfer/metrics.ts';

export const studyMetrics = new MetricTable([transferMetrics, storeMetrics]);
