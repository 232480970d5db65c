/** Events per operator over time, in intervals of a tenth of a second. */

export const operators = ['source', 'keyBy', 'aggregate', 'sink'] as const;
export type Operator = (typeof operators)[number];

export const meterIntervalUs = 100_000;

/**
 * What each operator has passed on, by interval since the start: events of `source` and `keyBy`, events or rows of
 * complete windows of `aggregate`, rows that the store acknowledged of `sink`.
 */
export type OperatorCounts = Readonly<Record<Operator, readonly number[]>>;

export class Meter {
  readonly counts: Record<Operator, number[]> = { source: [], keyBy: [], aggregate: [], sink: [] };

  constructor(private readonly startUs: number) {}

  count(operator: Operator, events: number, nowUs: number): void {
    const intervals = this.counts[operator];
    const at = Math.floor((nowUs - this.startUs) / meterIntervalUs);
    while (intervals.length <= at) intervals.push(0);
    intervals[at] = (intervals[at] as number) + events;
  }
}
