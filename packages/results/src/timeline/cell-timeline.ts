/** The timeline of a repetition: what roles, generators and host recorded by themselves, on the time of the load. */
import { groupedBy, type HostIntervals, type ProcessIntervals, type RoleTimeline, type Sample } from '@topo-bench/core';
import type { CellTimeline, CellTimelineEvent } from '@topo-bench/core/schema/result';
import { type Grid, maxima, rates } from './resample.ts';

export interface TimelineSources {
  /** Start of the load, on the clock of roles and host. */
  startAtUs: number;
  durationUs: number;
  /** Time from one turn of a cell to the next, and the number of cells that take turns. */
  turns?: { periodUs: number; levels: number } | undefined;
  roles: readonly RoleTimeline[];
  /** Roles of other cells under the same load. */
  otherRoles?: readonly RoleTimeline[];
  /** Times since the start of the load. Absent: those of the generators are unknown. */
  generators: readonly ProcessIntervals[] | undefined;
  /** Whether all generators run on this host. */
  generatorsAreHere: boolean;
  host: HostIntervals | undefined;
  samples: readonly Sample[];
}

const intervalsUs = [250_000, 500_000] as const;
/** For loads of more than `maxIntervals` of the others. */
const coarsestUs = 1_000_000;
const maxIntervals = 120;
const maxEvents = 300;

/** With all events. @returns undefined where no role has recorded anything */
export function cellTimeline(sources: TimelineSources): CellTimeline | undefined {
  const { startAtUs, durationUs, turns, roles, generators = [] } = sources;
  if (roles.length === 0 || roles.every(({ endUs }) => endUs.length === 0)) return undefined;
  const intervalUs = turns ? turnsUs(turns.periodUs) : evenUs(durationUs);
  const grid = { startUs: startAtUs, intervalUs, count: Math.max(1, Math.ceil(durationUs / intervalUs)) };
  const ofLoad = { ...grid, startUs: 0 };
  const levels = turns?.levels ?? 1;
  const byKind = groupedBy(roles, ({ kind }) => kind);
  const endUs = sources.samples.reduce((last, { doneUs }) => Math.max(last, doneUs ?? 0), durationUs);
  return {
    intervalMs: intervalUs / 1e3,
    roles: {
      ...Object.fromEntries([...byKind].map(([kind, own]) => [kind, seriesOf(own, grid, levels)])),
      ...(generators.length > 0 && {
        generator: { ...seriesOf(generators, ofLoad, 1), delayMs: lagsMs(sources.samples, ofLoad) },
      }),
    },
    ...hostSeries(sources, grid, ofLoad),
    events: eventsOf(roles, startAtUs, endUs),
    clockErrorMs: Math.max(...roles.map(({ clockErrorUs }) => clockErrorUs)) / 1e3,
  };
}

/** With the longest events only if there are many: the part to store. Causes of episodes are sought before. */
export function storedTimeline(timeline: CellTimeline): CellTimeline {
  const { events, ...others } = timeline;
  if (events.length <= maxEvents) return timeline;
  const longest = [...events].sort((a, b) => b.durationMs - a.durationMs).slice(0, maxEvents);
  return { ...others, events: inOrder(longest), eventsLeftOut: events.length - maxEvents };
}

function inOrder(events: readonly CellTimelineEvent[]): CellTimelineEvent[] {
  return [...events].sort((a, b) => a.atMs - b.atMs);
}

function evenUs(durationUs: number): number {
  return intervalsUs.find((intervalUs) => durationUs / intervalUs <= maxIntervals) ?? coarsestUs;
}

/** Whole turns: a part of one would show the order of turns, not the use of processors. */
function turnsUs(periodUs: number): number {
  return periodUs * Math.max(1, Math.ceil(intervalsUs[0] / periodUs));
}

type RoleSeries = CellTimeline['roles'][string];

/** @param levels of cells that take turns: the processes of each are idle in the turns of the others */
function seriesOf(processes: readonly ProcessIntervals[], grid: Grid, levels: number): RoleSeries {
  const cpu = processes.map((one) => rates(one, one.cpuUs, grid));
  const busy = processes.map((one) => rates(one, one.busyUs, grid));
  const delays = processes.flatMap((one) => (one.delayUs ? [maxima(one, one.delayUs, grid)] : []));
  const throttled = processes.flatMap((one) => (one.throttledUs ? [rates(one, one.throttledUs, grid)] : []));
  return {
    cpuPercent: joined(cpu, sum, (rate) => rounded(100 * rate * levels, 10)),
    busyShare: joined(busy, max, (share) => rounded(Math.min(1, share * levels), 1000)),
    ...(delays.length > 0 && { delayMs: joined(delays, max, (us) => rounded(Math.max(0, us) / 1e3, 100)) }),
    ...(throttled.length > 0 && {
      throttledMs: joined(throttled, max, (share) => rounded((share * grid.intervalUs) / 1e3, 100)),
    }),
  };
}

/** Null where one of the processes is unknown. */
function joined(
  all: readonly Float64Array[],
  join: (values: readonly number[]) => number,
  show: (value: number) => number,
): (number | null)[] {
  return Array.from(all[0] ?? [], (_, at) => {
    const value = join(all.map((one) => one[at] as number));
    return Number.isNaN(value) ? null : show(value);
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function max(values: readonly number[]): number {
  return Math.max(...values);
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

/** Max scheduler lag of the requests intended in each interval; null without any. */
function lagsMs(samples: readonly Sample[], grid: Grid): (number | null)[] {
  const lags = new Array<number | null>(grid.count).fill(null);
  for (const { intendedUs, sentUs } of samples) {
    if (sentUs === null) continue;
    const at = Math.min(grid.count - 1, Math.floor(intendedUs / grid.intervalUs));
    lags[at] = Math.max(lags[at] ?? 0, rounded((sentUs - intendedUs) / 1e3, 100));
  }
  return lags;
}

/** All processes of the measurement must be known to tell them from foreign ones. */
function hostSeries(sources: TimelineSources, grid: Grid, ofLoad: Grid): Pick<CellTimeline, 'host'> {
  const { host, generators, generatorsAreHere } = sources;
  const roles = [...sources.roles, ...(sources.otherRoles ?? [])];
  if (!host) return {};
  const total = rates(host, host.totalUs, grid);
  const percent = (amounts: Float64Array): (number | null)[] =>
    Array.from(amounts, (amount, at) => {
      const share = (100 * amount) / (total[at] as number);
      return Number.isNaN(share) ? null : rounded(Math.min(100, Math.max(0, share)), 10);
    });
  const busyPercent = percent(rates(host, host.busyUs, grid));
  const { programsUs } = host;
  const isKnown = programsUs && generators && !roles.some(({ kind }) => kind === 'carrier');
  if (!isKnown) return { host: { busyPercent } };
  const own = [
    rates(host, host.ownUs, grid),
    ...roles.filter(({ isHere }) => isHere).map((role) => rates(role, role.cpuUs, grid)),
    ...(generatorsAreHere ? generators.map((one) => rates(one, one.cpuUs, ofLoad)) : []),
  ];
  const foreign = rates(host, programsUs, grid).map((rate, at) => rate - sum(own.map((one) => one[at] as number)));
  return { host: { busyPercent, foreignPercent: percent(foreign) } };
}

function eventsOf(roles: readonly RoleTimeline[], startAtUs: number, endUs: number): CellTimelineEvent[] {
  const all = roles.flatMap(({ name, events }) =>
    events.map(({ kind, startUs, durationUs, withinUs }) => ({
      role: name,
      kind,
      atMs: rounded((startUs - startAtUs) / 1e3, 100),
      durationMs: rounded(durationUs / 1e3, 100),
      ...(withinUs !== undefined && { withinMs: rounded(withinUs / 1e3, 100) }),
    })),
  );
  return inOrder(all.filter(({ atMs, durationMs }) => atMs + durationMs > 0 && atMs < endUs / 1e3));
}
