/** Published throughputs of a transfer study: a row per operation, number of streams and setting. */
import { publishedFigure, readPublishedFile } from '@topo-bench/report/model';

export interface PublishedThroughput {
  /** Undefined: both operations. */
  operation: string | undefined;
  /** Undefined: any number. */
  streams: number | undefined;
  megabytesPerSecond: number;
  setting: string;
}

/** @throws TopoBenchError `TB_PUBLISHED_INVALID` */
export async function readPublishedThroughputs(file: string): Promise<PublishedThroughput[]> {
  const columns = ['operation', 'streams', 'megabytes_per_second', 'setting'];
  const { rows } = await readPublishedFile(file, columns, ['streams', 'megabytes_per_second']);
  return rows.map(({ operation, streams, megabytes_per_second: throughput, setting = '' }) => ({
    operation: operation || undefined,
    streams: streams ? Number(streams) : undefined,
    megabytesPerSecond: publishedFigure(throughput),
    setting,
  }));
}
