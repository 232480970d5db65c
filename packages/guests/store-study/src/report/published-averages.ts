/** Published averages of a store study: a row per configuration and workload. */
import { publishedFigure, readPublishedFile } from '@topo-bench/report/model';

export interface PublishedAverage {
  configuration: string;
  workload: string;
  /** By column; the column name contains the unit. */
  figures: Record<string, number>;
}

const figureColumns = ['p95_ms', 'throughput_rps', 'cpu_percent', 'ram_mb'];

/** @throws TopoBenchError `TB_PUBLISHED_INVALID` */
export async function readPublishedAverages(file: string): Promise<PublishedAverage[]> {
  const { rows } = await readPublishedFile(file, ['configuration', 'workload', ...figureColumns], figureColumns);
  return rows.map(({ configuration = '', workload = '', ...row }) => ({
    configuration,
    workload,
    figures: Object.fromEntries(figureColumns.map((column) => [column, publishedFigure(row[column])])),
  }));
}
