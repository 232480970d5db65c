/** Slow requests of a repetition as a field of its entry: the limits, their number, and episodes with their causes. */
import type { Sample } from '@topo-bench/core';
import type { CellTimeline, SlowRequests } from '@topo-bench/core/schema/result';
import { episodeCause, type RoleOf } from './episode-cause.ts';
import { findEpisodes } from './slow-episodes.ts';

/**
 * @param timeline with all events: the few that are stored may lack those of an episode
 * @returns undefined where too few requests finished
 */
export function slowRequests(
  samples: readonly Sample[],
  timeline: CellTimeline | undefined,
  roleOf: RoleOf,
): SlowRequests | undefined {
  const found = findEpisodes(samples);
  if (!found) return undefined;
  const { limitsUs, slow, episodes } = found;
  return {
    limitsMs: Object.fromEntries([...limitsUs].map(([name, limitUs]) => [name, ms(limitUs)])),
    count: slow,
    episodes: episodes.map((episode) => ({
      startMs: ms(episode.startUs),
      endMs: ms(episode.endUs),
      requests: episode.requests,
      slowestMs: Number.isFinite(episode.slowestUs) ? ms(episode.slowestUs) : null,
      cause: episodeCause(episode, timeline, roleOf),
    })),
  };
}

function ms(us: number): number {
  return Math.round(us / 10) / 100;
}
