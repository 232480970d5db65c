/**
 * What planned events did to requests. A request that was not served is one of an event when it was open while the
 * event lasted, from the time at which it was asked for until its end had taken effect. With several such events, the
 * hop that its error names decides, then a crash for a request without an answer, then the event that began last. A
 * change of rules breaks nothing.
 */
import type { Sample } from '@topo-bench/core';
import type { EventEffects, EventRecord } from '@topo-bench/core/schema/result';
import { countErrors } from './count-samples.ts';
import { type ClassifiedBy, classOf, type RequestClass } from './request-classes.ts';

type Request = Pick<
  Sample,
  'id' | 'class' | 'outcome' | 'error' | 'intendedUs' | 'sentUs' | 'doneUs' | 'steps' | 'delivered'
>;

interface Classified {
  sample: Request;
  class: RequestClass;
  /** Index of the event that it met without being served; -1 without one. */
  event: number;
}

export interface EffectsOptions extends ClassifiedBy {
  durationUs: number;
  /** Names of the gateways at which requests of a class enter, by their origins. */
  gatewaysOf(requestClass: string): readonly string[];
  /** The roles of which one decides and calls the step of a service; without enforcement that of the service. */
  executorsOf(service: string): readonly string[];
  /** The processes of the enforcement point of a service; absent where no other one takes over. */
  pointOf?(service: string): readonly string[];
  /** For how long breakers may still refuse messages to a role after its event. Default: 0. */
  breakerUs?: number;
}

export interface EffectsOfEvents {
  /** In the order of the events. */
  effects: EventEffects[];
  /** Errors that no event explains, by kind. */
  unplanned: Record<string, number>;
}

/** The share that was served before an event is that of so much time, or of the load until then if that is shorter. */
const beforeUs = 60e6;
/** It is compared with that of so much time after the event. */
const windowUs = 1e6;
const notServed: ReadonlySet<RequestClass> = new Set(['lost', 'failed', 'late']);

export function effectsOfEvents(
  samples: readonly Request[],
  events: readonly EventRecord[],
  options: EffectsOptions,
): EffectsOfEvents {
  const requests = samples.map((sample): Classified => {
    const one = classOf(sample, options);
    return { sample, class: one, event: notServed.has(one) ? eventOf(sample, events, options) : -1 };
  });
  const takenOver = takenOverBy(samples, events, options);
  const begins = events.flatMap(({ kind, begin }) => (kind === 'rules' ? [] : (begin.requestedUs ?? [])));
  const effects = events.map((event, index): EventEffects => {
    const own = requests.filter((request) => request.event === index);
    const count = (one: RequestClass): number => own.filter((request) => request.class === one).length;
    const { requestedUs } = event.begin;
    const counts = {
      ...{ lost: count('lost'), failed: count('failed'), late: count('late') },
      ...(takenOver && event.kind !== 'rules' && { takenOver: takenOver[index] ?? 0 }),
    };
    if (requestedUs === undefined || event.kind === 'rules') return counts;
    const since = (us: number): number => us - requestedUs;
    const seen = own.flatMap((request) => errorUs(request) ?? []);
    const others = requests.filter((request) => request.event < 0);
    const shares = new ServedShares([...others, ...own]);
    // Requests that were open when it began are no measure of the time before.
    const before = new ServedShares(others).share(requestedUs - beforeUs, requestedUs) ?? 1;
    const endUs = min([...begins.filter((us) => us > requestedUs), options.durationUs]);
    const firstSuccess = event.kind === 'partition' ? undefined : firstSuccessUs(samples, event, options);
    return {
      ...counts,
      ...(seen.length > 0 && { detectedUs: since(min(seen)) }),
      ...(firstSuccess !== undefined && { firstSuccessUs: since(firstSuccess) }),
      recoveredUs: since(shares.recoveredUs(before, requestedUs, endUs)),
    };
  });
  const unplanned = countErrors(requests.filter(({ event }) => event < 0).map(({ sample }) => sample));
  return { effects, unplanned };
}

/**
 * By event: steps that another point took over from its roles. A step belongs to the last such event that began before
 * its request ended: breakers keep a role away for longer than its event lasts.
 */
function takenOverBy(
  samples: readonly Request[],
  events: readonly EventRecord[],
  { pointOf, deadlineUs }: EffectsOptions,
): number[] | undefined {
  if (!pointOf) return undefined;
  const counts = events.map(() => 0);
  for (const { steps, doneUs, sentUs, intendedUs } of samples) {
    const endedUs = doneUs ?? (sentUs ?? intendedUs) + deadlineUs;
    for (const { service } of steps.filter((step) => step.takenOver)) {
      const point = pointOf(service);
      let [last, lastUs] = [-1, Number.NEGATIVE_INFINITY];
      for (const [index, { kind, roles, begin }] of events.entries()) {
        const { requestedUs } = begin;
        if (kind === 'rules' || requestedUs === undefined || requestedUs < lastUs || requestedUs > endedUs) continue;
        if (point.some((role) => roles.includes(role))) [last, lastUs] = [index, requestedUs];
      }
      if (last >= 0) counts[last] = (counts[last] as number) + 1;
    }
  }
  return counts;
}

/** When the client had the error of a request; undefined where nothing has recorded it. */
function errorUs({ sample: { doneUs, sentUs, error }, class: one }: Classified): number | undefined {
  if (one === 'late') return undefined;
  return doneUs ?? (error === 'connection-refused' ? (sentUs ?? undefined) : undefined);
}

/**
 * Index of the event that a request met; -1 without one. The hop that the error names decides between several. A
 * client without an answer has lost its gateway.
 */
function eventOf(
  { class: requestClass, intendedUs, sentUs, doneUs, outcome, error }: Request,
  events: readonly EventRecord[],
  { gatewaysOf, deadlineUs, breakerUs = 0 }: EffectsOptions,
): number {
  const isOfBreaker = error?.startsWith('breaker:') ?? false;
  const isOfClient = outcome === 'error' && doneUs === null;
  const beganUs = sentUs ?? intendedUs;
  // The gateway gives up a request without an answer at its deadline.
  const endedUs = doneUs ?? (isOfClient ? Number.POSITIVE_INFINITY : beganUs + deadlineUs);
  const hops = isOfClient ? gatewaysOf(requestClass) : [/:(.+)$/.exec(error ?? '')?.[1] ?? ''];
  const met = events.flatMap(({ kind, begin, end, roles }, index) => {
    const { requestedUs: fromUs } = begin;
    if (fromUs === undefined || kind === 'rules') return [];
    const isOfHop = hops.some((hop) => roles.includes(hop));
    const toUs = (end?.effectiveUs ?? Number.POSITIVE_INFINITY) + (isOfBreaker && isOfHop ? breakerUs : 0);
    if (beganUs > toUs || endedUs < fromUs) return [];
    return { index, fromUs, kind, isOfHop };
  });
  const named = met.filter(({ isOfHop }) => isOfHop);
  // Nothing but a crash ends connections, and with it goes what its role had in progress.
  const crash = named.find(({ kind }) => kind === 'crash');
  if (isOfClient) return (crash ?? named[0])?.index ?? -1;
  if (doneUs === null && crash) return crash.index;
  const candidates = named.length > 0 || isFault(error) ? named : met;
  return candidates.reduce((last, one) => (last && last.fromUs > one.fromUs ? last : one), candidates[0])?.index ?? -1;
}

/** Errors that a role makes itself: no event of another role explains them. */
function isFault(error: string | null): boolean {
  return /^(internal|no-rules|bad-answer|overloaded)\b/.test(error ?? '');
}

/**
 * When the first request that was sent after the begin of an event and needs one of its roles was completed.
 * @returns undefined where an earlier one may have needed it: samples name neither their replicas nor their gateway
 */
function firstSuccessUs(
  samples: readonly Request[],
  { begin, roles }: EventRecord,
  options: EffectsOptions,
): number | undefined {
  let [certainUs, possibleUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const sample of samples) {
    const { outcome, sentUs, doneUs } = sample;
    if (outcome !== 'completed' || doneUs === null || doneUs >= certainUs) continue;
    if (sentUs === null || sentUs < (begin.effectiveUs ?? Number.POSITIVE_INFINITY)) continue;
    const needs = needsOf(sample, options);
    if (needs.some((any) => any.some((role) => roles.includes(role)))) possibleUs = Math.min(possibleUs, doneUs);
    if (needs.some((any) => any.every((role) => roles.includes(role)))) certainUs = doneUs;
  }
  return possibleUs < certainUs ? undefined : certainUs;
}

/** The roles that a request needs: one of each list. */
function needsOf({ class: requestClass, steps, delivered }: Request, options: EffectsOptions): (readonly string[])[] {
  const services = new Set([
    ...steps.map(({ service }) => service),
    ...(delivered?.services ?? []).map(({ service }) => service),
  ]);
  const each = [...services].flatMap((service) => [[service], options.executorsOf(service)]);
  return [options.gatewaysOf(requestClass), ...each].filter(({ length }) => length > 0);
}

/** Shares of the requests of a time that were served. */
class ServedShares {
  /** Intended send times, ascending. */
  readonly #timesUs: number[];
  /** Served requests among the first n. */
  readonly #served: number[] = [0];

  constructor(requests: readonly Classified[]) {
    const inOrder = [...requests].sort((a, b) => a.sample.intendedUs - b.sample.intendedUs);
    this.#timesUs = inOrder.map(({ sample }) => sample.intendedUs);
    for (const request of inOrder) {
      this.#served.push((this.#served.at(-1) as number) + (notServed.has(request.class) ? 0 : 1));
    }
  }

  /**
   * Begin of the first window after an instant with that share or more; +∞ without one.
   * @param endUs of the load, or the begin of the next event
   */
  recoveredUs(share: number, afterUs: number, endUs: number): number {
    for (let at = this.#countBefore(afterUs); at < this.#timesUs.length; at++) {
      const fromUs = this.#timesUs[at] as number;
      if (fromUs >= endUs) break;
      // The rest of the time may be shorter than a window.
      const toUs = Math.min(fromUs + windowUs, endUs);
      if ((this.share(fromUs, toUs) ?? 0) >= share) return fromUs;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Undefined without requests. */
  share(fromUs: number, toUs: number): number | undefined {
    const [first, last] = [this.#countBefore(fromUs), this.#countBefore(toUs)];
    if (last === first) return undefined;
    return ((this.#served[last] as number) - (this.#served[first] as number)) / (last - first);
  }

  /** Number of requests with an intended time before an instant, by bisection. */
  #countBefore(us: number): number {
    let [low, high] = [0, this.#timesUs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timesUs[middle] as number) < us) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function min(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** Sentences on events that did not take effect: the repetition then shows something else than was asked for. */
export function eventFailures(events: readonly EventRecord[]): string[] {
  return events.flatMap(({ name, begin, end }) =>
    [begin, end].flatMap((instant, at) => {
      if (!instant || instant.effectiveUs !== undefined) return [];
      const what = at === 0 ? name : `the end of ${name}`;
      return [`${what} did not take effect during the load${instant.error === undefined ? '' : `: ${instant.error}`}`];
    }),
  );
}
