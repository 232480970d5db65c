/**
 * The sides of `bench:streams`, a job, the bare driver and the job on Flink, in the same three steps: connect to an
 * empty heat map, the work that is timed, close. Before the clock starts, connections are open; the job and the bare
 * driver are warm, with statements prepared and scripts loaded. Flink loads the classes of each job again.
 */
import type { Clock, StoreEngine } from '@topo-bench/core';
import { createHeatMap, openHeatMap } from '@topo-bench/stores/heat-map';
import { nullSink, runJob, type Sink, type StreamJob } from '../src/index.ts';
import type { Write } from './bare-driver.ts';
import { bareDrivers } from './bare-drivers.ts';

export type JobSetting = Omit<StreamJob, 'sink'>;

export interface Side {
  name: 'job' | 'bare driver' | 'Flink';
  prepare(url: string): Promise<PreparedSide>;
}

export interface PreparedSide {
  /** Connection string of the heat map. */
  heatMap: string;
  /** @returns seconds */
  timed(): Promise<number>;
  close(): Promise<unknown>;
}

/** Rows of no job: none, and the checkpoint of a partition that no job has. */
const warmUp: Write = {
  rows: { count: 0, cells: new Float64Array(0), crossings: new Float64Array(0), timesMs: new Float64Array(0) },
  checkpoint: { partition: 1, position: 0, state: '' },
};

/** @param setting its clock times both sides */
export async function sidesOf(engine: StoreEngine, setting: JobSetting): Promise<[job: Side, bare: Side]> {
  const writes = await recorded(setting);
  return [
    { name: 'job', prepare: (url) => preparedJob(engine, url, setting) },
    { name: 'bare driver', prepare: (url) => preparedDriver(engine, url, writes, setting.clock) },
  ];
}

/** Runs one side from an empty heat map. @returns seconds */
export async function timeSide(side: Side, url: string): Promise<number> {
  const prepared = await side.prepare(url);
  try {
    return await prepared.timed();
  } finally {
    await prepared.close();
  }
}

/** The writes of the job: they depend on its source and setting alone. */
async function recorded(setting: JobSetting): Promise<Write[]> {
  const writes: Write[] = [];
  const add: Sink['add'] = async ({ count, cells, crossings, timesMs }, checkpoint) => {
    const [ofCells, ofCrossings, ofTimes] = [cells, crossings, timesMs].map((column) => column.slice(0, count));
    const rows = { count, cells: ofCells!, crossings: ofCrossings!, timesMs: ofTimes! };
    if (checkpoint) writes.push({ rows, checkpoint });
  };
  await runJob({ ...setting, sink: { ...nullSink, add } });
  return writes;
}

async function preparedJob(engine: StoreEngine, url: string, setting: JobSetting): Promise<PreparedSide> {
  const created = await createHeatMap({ engine, url, name: 'bench' });
  const heatMap = await openHeatMap({ engine, url: created, connections: 1, timeoutMs: 60_000 });
  await heatMap.add(warmUp.rows, warmUp.checkpoint);
  return {
    heatMap: created,
    timed: async () => (await runJob({ ...setting, sink: heatMap })).durationUs / 1e6,
    close: () => heatMap.close(),
  };
}

async function preparedDriver(
  engine: StoreEngine,
  url: string,
  writes: readonly Write[],
  clock: Clock,
): Promise<PreparedSide> {
  const created = await createHeatMap({ engine, url, name: 'bench' });
  const driver = await bareDrivers[engine](created);
  await driver.write(warmUp);
  return {
    heatMap: created,
    async timed() {
      const startUs = clock.nowUs();
      for (const write of writes) await driver.write(write);
      return (clock.nowUs() - startUs) / 1e6;
    },
    close: () => driver.close(),
  };
}
