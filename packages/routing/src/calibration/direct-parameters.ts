/** Parameters that records of processes state without a fit: pauses, other threads, and the cost of generators. */
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import { parameterValue, replicationUnder, withValues } from '@topo-bench/simulator/fit';
import { answered, type MeasuredCell, recordsOf } from './measured-cell.ts';

/** Names of those that this file sets, if the records have them. */
export interface DirectParameters {
  model: DemandModel;
  names: ReadonlySet<string>;
}

/** Requests that count turns: their number per request hardly varies. */
const counted = 100;

export function withDirectParameters(cells: readonly MeasuredCell[], prior: DemandModel): DirectParameters {
  let turns = 0;
  for (const cell of cells) {
    const { figures, requests } = replicationUnder(cell, prior, counted);
    const roles = cell.deployment.kinds.length;
    const perRequest = figures.turns.subarray(0, roles).reduce((sum, value) => sum + value, 0) / requests.count;
    for (const entry of cell.entries) turns += perRequest * answered(entry);
  }
  const entries = cells.flatMap((cell) => cell.entries);
  const records = entries.flatMap(recordsOf);
  const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
    items.reduce((total, item) => total + of(item), 0);
  const pauses = records.flatMap(({ collections }) => (collections ? [collections.minor, collections.major] : []));
  const stops = entries.flatMap(({ timeline }) => timeline?.events ?? []).filter(isStop);
  const mainUs = sum(records, ({ mainThread }) => mainThread?.cpuUs ?? 0);
  const others = records.flatMap(({ otherThreads }) => otherThreads ?? []);
  const otherUs = sum(others, ({ cpuUs }) => cpuUs);
  const values: Record<string, number> = {};
  const pauseCount = sum(pauses, ({ count }) => count);
  if (pauseCount > 0 && turns > 0) {
    values['pauses.collections.probability'] = Math.min(0.5, pauseCount / turns);
    values['pauses.collections.meanUs'] = sum(pauses, ({ pauseUs }) => pauseUs) / pauseCount;
  }
  if (entries.some(({ timeline }) => timeline !== undefined) && turns > 0) {
    // Half an event more: none seen is no proof that there are none.
    const before = parameterValue(prior, 'pauses.stops.meanUs');
    values['pauses.stops.probability'] = (stops.length + 0.5) / turns;
    values['pauses.stops.meanUs'] =
      (sum(stops, ({ durationMs }) => durationMs * 1000) + before / 2) / (stops.length + 0.5);
  }
  if (otherUs > 0 && mainUs > 0) {
    values['helpers.share'] = otherUs / mainUs;
    values['helpers.meanUs'] = Math.max(
      50,
      otherUs /
        Math.max(
          1,
          sum(others, ({ slices }) => slices),
        ),
    );
  }
  const generator = entries.flatMap(({ resources, achievedRps }) => {
    const percent = resources.generator?.cpuPercent;
    return percent === undefined || achievedRps <= 0 ? [] : [(percent * 1e4) / achievedRps];
  });
  if (generator.length > 0) {
    const perRequestUs = sum(generator, (us) => us) / generator.length;
    const parts = ['operations.post.us', 'operations.collect.us'];
    const before = sum(parts, (name) => parameterValue(prior, name));
    // It wakes up twice for a request.
    const scale = Math.max(0.1, (perRequestUs - 2 * parameterValue(prior, 'wake.us')) / before);
    for (const name of parts) values[name] = parameterValue(prior, name) * scale;
  }
  return { model: withValues(prior, values), names: new Set(Object.keys(values)) };
}

/** The process had no turn for milliseconds, and did not just wait for a core. */
function isStop({ kind }: { kind: string }): boolean {
  return kind === 'busy' || kind === 'stopped' || kind === 'delayed';
}
