/** Heat-map generation: crossings of GPS points are added to a heat map. */
import { type EventSource, gpsSource } from '@topo-bench/streams';
import { cyclingTrips } from '@topo-bench/workload';
import type { EngineSettings } from '../../job.ts';
import type { Task, Waits } from './task.ts';
import { WritingTask } from './writing-task.ts';

export function generateTask(settings: EngineSettings, waits: Waits): Task {
  const points = cyclingTrips(settings);
  const source = gpsSource(points, settings.cellLength);
  return new WritingTask(settings, waits, points.timesMs, (count): EventSource => ({ ...source, length: count }));
}
