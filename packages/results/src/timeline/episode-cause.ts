/**
 * The cause of an episode of slow requests: the longest recorded pauses or stalls of one kind in one role, if they
 * explain at least half of the longest delay of a request in it.
 */
import { groupedBy } from '@topo-bench/core';
import type { CellTimeline, CellTimelineEvent, EpisodeCause } from '@topo-bench/core/schema/result';
import type { Episode } from './slow-episodes.ts';

/** Min share of the excess time that a cause must explain. */
const minExplained = 0.5;
/** Programs that are not ours, in % of all cores: the limit of the flag `foreign-load`. */
const minForeignPercent = 10;
/** Pauses are counted within a stall if they fill this share of it. */
const minOfStall = 0.5;

/** A role by its name: series of throttling are by kind, and the foreign load is that of this host. */
export type RoleOf = (role: string) => { kind: string; isHere: boolean } | undefined;

/** Searches the records of the time from the due time of the most delayed request to its answer. */
export function episodeCause(episode: Episode, timeline: CellTimeline | undefined, roleOf: RoleOf): EpisodeCause {
  const { startUs, endUs, latest, lagUs } = episode;
  // A request that never finished was late by the length of the episode at least.
  const isFinished = Number.isFinite(latest.us);
  const neededMs = (minExplained * (isFinished ? latest.delayUs : endUs - startUs)) / 1e3;
  if (lagUs / 1e3 >= neededMs) return { kind: 'late-generator', durationMs: rounded(lagUs / 1e3) };
  const span: Span = [latest.dueUs / 1e3, (isFinished ? latest.dueUs + latest.us : endUs) / 1e3];
  const found = timeline && longest(span, timeline, neededMs);
  if (!found) return { kind: 'unknown' };
  const { role, durationMs } = found;
  return { kind: kindOfCause(found, span, timeline, roleOf), role, durationMs: rounded(durationMs) };
}

/** Due time and answer of the most delayed request in ms. */
type Span = [fromMs: number, toMs: number];

interface Found {
  role: string;
  kind: 'collection' | Exclude<CellTimelineEvent['kind'], 'minor-collection' | 'major-collection'>;
  /** Within the span. */
  durationMs: number;
}

/** The longest time of one kind in one role; a stall that is mostly garbage collection counts as one. */
function longest([fromMs, toMs]: Span, { events, clockErrorMs }: CellTimeline, neededMs: number): Found | undefined {
  const [from, to] = [fromMs - clockErrorMs, toMs + clockErrorMs];
  const byRole = groupedBy(
    events.filter(({ atMs, durationMs, withinMs = durationMs }) => atMs < to && atMs + withinMs > from),
    ({ role }) => role,
  );
  const all = [...byRole].flatMap(([role, own]) => {
    const collections = own.filter(isCollection);
    const stalls = own.filter((event) => !isCollection(event) && !isMostly(event, collections));
    const byKind = groupedBy(stalls, ({ kind }) => kind as Found['kind']);
    return [['collection', collections] as const, ...byKind].map(
      ([kind, some]): Found => ({ role, kind, durationMs: overlapMs(some, from, to) }),
    );
  });
  const enough = all.filter(({ durationMs }) => durationMs > 0 && durationMs >= neededMs);
  return enough.sort((a, b) => b.durationMs - a.durationMs)[0];
}

function isCollection({ kind }: CellTimelineEvent): boolean {
  return kind === 'minor-collection' || kind === 'major-collection';
}

function isMostly({ atMs, durationMs }: CellTimelineEvent, collections: readonly CellTimelineEvent[]): boolean {
  return overlapMs(collections, atMs, atMs + durationMs) >= minOfStall * durationMs;
}

/** How much of the events can lie between two moments. */
function overlapMs(events: readonly CellTimelineEvent[], from: number, to: number): number {
  return events.reduce((sum, { atMs, durationMs, withinMs = durationMs }) => {
    const overlap = Math.min(to, atMs + withinMs) - Math.max(from, atMs);
    return sum + Math.max(0, Math.min(durationMs, overlap));
  }, 0);
}

function kindOfCause(
  { role, kind, durationMs }: Found,
  span: Span,
  { intervalMs, roles, host }: CellTimeline,
  roleOf: RoleOf,
): EpisodeCause['kind'] {
  if (kind === 'collection') return kind;
  if (kind === 'busy' || kind === 'delayed') return 'event-loop';
  const [first, last] = span.map((ms) => Math.floor(ms / intervalMs)) as Span;
  const max = (values: readonly (number | null)[] = []): number =>
    Math.max(0, ...values.slice(first, last + 1).map((value) => value ?? 0));
  const { kind: roleKind = '', isHere = false } = roleOf(role) ?? {};
  if (max(roles[roleKind]?.throttledMs) >= minExplained * durationMs) return 'cpu-limit';
  if (kind === 'stopped') return kind;
  return isHere && max(host?.foreignPercent) >= minForeignPercent ? 'foreign-load' : 'processors';
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
