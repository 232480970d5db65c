/** Heat-map generation: crossings of GPS points are added to a heat map. */
import { type EventSource, gpsSource } from '@topo-bench/streams';
import { jobPoints } from '../../../input/job-points.ts';
import type { EngineSettings } from '../../job.ts';
import type { Task, Waits } from './task.ts';
import { WritingTask } from './writing-task.ts';

export async function generateTask(settings: EngineSettings, waits: Waits): Promise<Task> {
  const points = await jobPoints(settings);
  const source = gpsSource(points, settings.cellLength);
  return new WritingTask(settings, waits, points.timesMs, (count): EventSource => ({ ...source, length: count }));
}
