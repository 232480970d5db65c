/** The points that a processor takes: drawn from the seed, or those of recorded tracks. */
import { cyclingTrips, type GpsPoints } from '@topo-bench/streams/tracks';
import type { EngineSettings } from '../engine/job.ts';
import { readPoints } from './points-file.ts';

export async function jobPoints(settings: EngineSettings): Promise<GpsPoints> {
  const { points, pointsFile } = settings;
  return pointsFile === undefined ? cyclingTrips(settings) : readPoints(pointsFile, points);
}
