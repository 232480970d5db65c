/** Episodes of slow requests in words: their number, and their causes. */
import type { Cell, EpisodeCause, SlowEpisode } from '@topo-bench/core/schema/result';
import { formatCount } from './figure-text.ts';
import type { ReportModel } from './model/report-model.ts';

const causeTexts: Record<EpisodeCause['kind'], (role: string) => string> = {
  collection: (role) => `garbage collection of ${role}`,
  'event-loop': (role) => `busy event loop of ${role}`,
  'foreign-load': (role) => `foreign load of the host: ${role} waited for a processor`,
  processors: (role) => `${role} waited for a processor`,
  'cpu-limit': (role) => `limit on CPU time of ${role}`,
  stopped: (role) => `${role} was stopped`,
  'late-generator': () => 'late load generator',
  unknown: () => 'cause unknown',
};

/** With the role, where the cause has one. */
export function causeText({ kind, role = '' }: EpisodeCause): string {
  return causeTexts[kind](role);
}

const kindTexts: Record<EpisodeCause['kind'], string> = {
  collection: 'garbage collection',
  'event-loop': 'busy event loop',
  'foreign-load': 'foreign load of the host',
  processors: 'wait for a processor',
  'cpu-limit': 'limit on CPU time',
  stopped: 'stopped process',
  'late-generator': 'late load generator',
  unknown: 'cause unknown',
};

export interface EpisodeOfCell extends SlowEpisode {
  /** Index of the cell in the report. */
  at: number;
  repetition: number;
}

/** Episodes of all valid repetitions, in the order of the cells. */
export function episodesOf({ groups }: Pick<ReportModel, 'groups'>): EpisodeOfCell[] {
  return groups.flatMap(({ valid }, at) =>
    valid.flatMap(({ repetition, slow }) => (slow?.episodes ?? []).map((one) => ({ at, repetition, ...one }))),
  );
}

/** One line. Undefined where nothing is recorded, as in older results. */
export function episodeText(report: Pick<ReportModel, 'groups'>): string | undefined {
  const recorded = report.groups.flatMap(({ valid }) => valid).filter(({ slow }: Cell) => slow !== undefined);
  if (recorded.length === 0) return undefined;
  const episodes = episodesOf(report);
  const where = `${formatCount(recorded.length)} ${recorded.length === 1 ? 'repetition' : 'repetitions'}`;
  if (episodes.length === 0) return `Slow requests: no episodes in ${where}.`;
  const counts = new Map<string, number>();
  for (const { cause } of episodes) counts.set(kindTexts[cause.kind], (counts.get(kindTexts[cause.kind]) ?? 0) + 1);
  const requests = episodes.reduce((sum, one) => sum + one.requests, 0);
  const causes = [...counts].sort((a, b) => b[1] - a[1]).map(([text, count]) => `${text} ${formatCount(count)}`);
  const many = episodes.length === 1 ? 'episode' : 'episodes';
  return `Slow requests: ${formatCount(episodes.length)} ${many} in ${where} (${formatCount(requests)} requests): ${causes.join(', ')}.`;
}
