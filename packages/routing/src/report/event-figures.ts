/** Planned events of a run: what each did to the requests of each cell, as medians over the valid repetitions. */
import { medianInterval } from '@topo-bench/comparison';
import type { Cell, EventRecord } from '@topo-bench/core/schema/result';
import type { ReportModel } from '@topo-bench/report/model';
import { median } from '@topo-bench/stats';

export interface EventFigures {
  /** Index of the cell in the report. */
  at: number;
  name: string;
  /** Time at which it was asked for, from the begin of the load. */
  atUs: number;
  /** From then until its end had taken effect; +∞ for a role that stays down. */
  lastsUs: number;
  lost: number;
  failed: number;
  late: number;
  /** Steps that another point decided; NaN without takeover. */
  takenOver: number;
  /** NaN where nothing was there to detect. */
  detectedUs: number;
  /** NaN for a partition, which no single request needs. */
  firstSuccessUs: number;
  recoveredUs: number;
}

export function hasEvents({ groups }: Pick<ReportModel, 'groups'>): boolean {
  return groups.some(({ valid, invalid }) => [...valid, ...invalid].some(({ events }) => events !== undefined));
}

/** One for each event of each cell with a valid repetition, then one for all drawn crashes of a target. */
export function eventFigures({ groups }: Pick<ReportModel, 'groups'>): EventFigures[] {
  return groups.flatMap(({ valid }, at) => {
    const stated = (valid[0]?.events ?? []).filter(({ drawn }) => !drawn);
    const drawn = valid.flatMap(({ events = [] }) => events.filter((event) => event.drawn));
    const drawnNames = [...new Set(drawn.map(({ name }) => name))];
    return [
      ...stated.map((_, index) =>
        figuresOf(
          at,
          valid.map(({ events = [] }) => events.slice(index, index + 1)),
        ),
      ),
      ...drawnNames.map((name) => ({
        ...figuresOf(
          at,
          valid.map(({ events = [] }) => events.filter((event) => event.drawn && event.name === name)),
        ),
        atUs: Number.NaN,
      })),
    ];
  });
}

/**
 * Medians over the repetitions.
 * @param repetitions the events of each; of several, counts are means and times are medians
 */
function figuresOf(at: number, repetitions: readonly (readonly EventRecord[])[]): EventFigures {
  const over = (one: (values: readonly number[]) => number) => (read: (record: EventRecord) => number | undefined) =>
    median(
      repetitions.flatMap((records) => {
        const values = records.flatMap((record) => read(record) ?? []);
        return values.length > 0 ? [one(values)] : [];
      }),
    );
  const of = over(median);
  const count = over((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  return {
    at,
    name: repetitions.find(([first]) => first)?.[0]?.name ?? '',
    atUs: of(({ begin }) => begin.requestedUs),
    lastsUs: of(lastsUs),
    lost: count(({ effects }) => effects?.lost),
    failed: count(({ effects }) => effects?.failed),
    late: count(({ effects }) => effects?.late),
    takenOver: count(({ effects }) => effects?.takenOver),
    detectedUs: of(({ effects }) => effects?.detectedUs),
    firstSuccessUs: of(({ effects }) => effects?.firstSuccessUs),
    recoveredUs: of(({ effects }) => effects?.recoveredUs),
  };
}

/** A change of rules lasts until its last confirmation. */
function lastsUs({ kind, begin, end }: EventRecord): number | undefined {
  if (begin.requestedUs === undefined) return undefined;
  const last = kind === 'rules' ? begin : end;
  return (last ? (last.effectiveUs ?? Number.NaN) : Number.POSITIVE_INFINITY) - begin.requestedUs;
}

/** Faults that take a role out of service. */
export type Outage = 'crash' | 'freeze';

export interface PerOutage {
  /** Index of the cell in the report. */
  at: number;
  /** Requests that were not served in time, per event: median of the repetitions, and the ends of its interval. */
  unserved: number;
  interval: readonly [low: number, high: number];
  /** Whether it is the 95% interval, which needs six repetitions; else the smallest and the largest. */
  isInterval: boolean;
  /** Those of them of which no client had an answer. */
  lost: number;
  /** Steps that another point decided; undefined without takeover. */
  takenOver: number | undefined;
  /** Median of the events of a repetition, and of repetitions; +∞ where most were not over before the next event. */
  recoveredUs: number;
  /** Events in all repetitions. */
  events: number;
  /** Those after which service was not as before until the next event, or the end of the load. */
  unrecovered: number;
}

const alpha = 0.05;

/** Cells with events of that kind, in the order of the report. */
export function figuresPerOutage({ groups }: Pick<ReportModel, 'groups'>, outage: Outage): PerOutage[] {
  return groups.flatMap(({ valid }, at): PerOutage[] => {
    const each = valid.flatMap((cell) => perOutage(cell, outage) ?? []);
    if (each.length === 0) return [];
    const counts = each.map(({ unserved }) => unserved);
    const interval = medianInterval(counts, alpha);
    const isInterval = interval.every(Number.isFinite);
    return [
      {
        at,
        unserved: median(counts),
        interval: isInterval ? interval : [Math.min(...counts), Math.max(...counts)],
        isInterval,
        lost: median(each.map(({ lost }) => lost)),
        takenOver: medianOf(each.flatMap(({ takenOver }) => takenOver ?? [])),
        recoveredUs: median(each.map(({ recoveredUs }) => recoveredUs)),
        events: each.reduce((sum, { events }) => sum + events, 0),
        unrecovered: each.reduce((sum, { unrecovered }) => sum + unrecovered, 0),
      },
    ];
  });
}

type Averages = Pick<PerOutage, 'unserved' | 'lost' | 'takenOver' | 'recoveredUs' | 'events' | 'unrecovered'>;

function perOutage({ events = [] }: Cell, outage: Outage): Averages | undefined {
  const each = events.flatMap(({ kind, effects }) => (kind === outage && effects ? [effects] : []));
  if (each.length === 0) return undefined;
  const mean = (of: (effects: (typeof each)[number]) => number): number =>
    each.reduce((sum, effects) => sum + of(effects), 0) / each.length;
  return {
    unserved: mean(({ lost, failed, late }) => lost + failed + late),
    lost: mean(({ lost }) => lost),
    takenOver: each.every(({ takenOver }) => takenOver !== undefined)
      ? mean(({ takenOver = 0 }) => takenOver)
      : undefined,
    recoveredUs: median(each.map(({ recoveredUs = Number.NaN }) => recoveredUs)),
    events: each.length,
    unrecovered: each.filter(({ recoveredUs }) => recoveredUs === Number.POSITIVE_INFINITY).length,
  };
}

function medianOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : median(values);
}
