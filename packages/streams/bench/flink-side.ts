/**
 * The job of `bench:streams` on Flink. Its time is that of the other sides: from the first point, with the sink
 * connected, to the last acknowledgement. Uploads, submission and the start of the operators are outside of it.
 */
import type { StoreEngine } from '@topo-bench/core';
import { createHeatMap } from '@topo-bench/stores/heat-map';
import type { GpsPoints } from '@topo-bench/workload';
import { FlinkCluster } from '../src/flink/index.ts';
import type { JobSetting, Side } from './sides.ts';

/** What the job takes of a setting; other fields are of the embedded engine alone. */
export type FlinkSetting = Pick<JobSetting, 'guarantee' | 'partitions' | 'rowsPerWrite' | 'windows'> & {
  points: GpsPoints;
  cellLength: number;
};

const checkpointEveryMs = 200;

export interface FlinkSide extends Side {
  name: 'Flink';
  /** Deletes the jar, which all rounds share. */
  stop(): Promise<void>;
}

/** @param clusterUrl of its REST interface, with a free slot for each partition */
export function flinkSide(clusterUrl: string, engine: StoreEngine, setting: FlinkSetting): FlinkSide {
  const cluster = new FlinkCluster(clusterUrl);
  const { points, cellLength, guarantee, partitions, rowsPerWrite, windows } = setting;
  const job = { database: engine, points: points.count, ratePerSecond: undefined, cellLength, checkpointEveryMs };
  return {
    name: 'Flink',
    async prepare(url) {
      const heatMap = await createHeatMap({ engine, url, name: 'bench' });
      return {
        heatMap,
        async timed() {
          const settings = { ...job, heatMapUrl: heatMap, guarantee, partitions, rowsPerWrite };
          const { durationUs } = await cluster.run(points, { ...settings, ...(windows && { windows }) });
          return durationUs / 1e6;
        },
        close: async () => {},
      };
    },
    stop: () => cluster.close(),
  };
}
