/** Published means of a stream study: a row per store, workload and windowing. */
import { publishedFigure, readPublishedFile } from '@topo-bench/report/model';

export interface PublishedMean {
  /** As in the study, e.g. `postgresql` or `hazelcast+mariadb`. */
  store: string;
  /** 1 to 4. */
  workload: number;
  hasWindows: boolean;
  perSecond: number;
}

/** @throws TopoBenchError `TB_PUBLISHED_INVALID` */
export async function readPublishedMeans(file: string): Promise<PublishedMean[]> {
  const columns = ['store', 'workload', 'windowing', 'throughput_tuples_per_s'];
  const { rows } = await readPublishedFile(file, columns, ['workload', 'throughput_tuples_per_s']);
  return rows.map(({ store = '', workload, windowing, throughput_tuples_per_s: throughput }) => ({
    store,
    workload: Number(workload),
    hasWindows: windowing === 'yes',
    perSecond: publishedFigure(throughput),
  }));
}
