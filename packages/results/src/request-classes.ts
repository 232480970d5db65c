/**
 * Puts each request into exactly one class. A request that was lost has the part at which it was last seen: the hop
 * that a deadline names, or the gateway, to which its client was connected.
 */
import type { Sample } from '@topo-bench/core';
import type { ClassesOverTime, RequestClasses } from '@topo-bench/core/schema/result';

export type RequestClass = Exclude<keyof RequestClasses, 'scheduled' | 'lostAt' | 'failedBy'>;

export interface ClassifiedBy {
  /** Deadline of a request, from its intended send time. */
  deadlineUs: number;
  /** Ids of requests on which a service worked twice. */
  repeated?: ReadonlySet<string>;
  /** Ids of requests that old rules decided after a change, and of those that several versions decided. */
  stale?: ReadonlySet<string>;
  torn?: ReadonlySet<string>;
  /** Whether a service may receive data after a decision only. Default: nothing is enforced. */
  enforces?: boolean;
}

type Classified = Pick<Sample, 'id' | 'outcome' | 'error' | 'intendedUs' | 'doneUs' | 'steps' | 'delivered'>;

const lastSeenAt = 'gateway';
/** Kinds of failures of a client whose request may have arrived, and whose answer will not. */
const brokenOff: ReadonlySet<string | null> = new Set(['connection-reset', 'timeout']);
const pastDeadline = /^deadline:(.+)$/;

export function classOf(
  sample: Classified,
  { deadlineUs, repeated, stale, torn, enforces }: ClassifiedBy,
): RequestClass {
  const { outcome, error, intendedUs, doneUs } = sample;
  if (repeated?.has(sample.id)) return 'duplicated';
  if (enforces && isUndecided(sample)) return 'undecided';
  if (outcome === 'unfinished') return 'lost';
  if (outcome === 'error') return brokenOff.has(error) || pastDeadline.test(error ?? '') ? 'lost' : 'failed';
  if (doneUs !== null && doneUs - intendedUs > deadlineUs) return 'late';
  if (torn?.has(sample.id)) return 'torn';
  if (stale?.has(sample.id)) return 'stale';
  return outcome === 'completed' ? 'answered' : 'refused';
}

/** Whether a step passed without a decision, or a service received data more often than decisions permitted. */
function isUndecided({ steps, delivered }: Classified): boolean {
  if (steps.some(({ undecided }) => undecided)) return true;
  const permitted = new Map<string, number>();
  for (const { service, effect } of steps) {
    if (effect === 'allow' || effect === 'redact') permitted.set(service, (permitted.get(service) ?? 0) + 1);
  }
  return (delivered?.services ?? []).some(({ service }) => {
    const left = permitted.get(service) ?? 0;
    permitted.set(service, left - 1);
    return left <= 0;
  });
}

/** @param scheduled requests of the schedule, counted apart from the samples */
export function requestClasses(samples: readonly Classified[], by: ClassifiedBy, scheduled: number): RequestClasses {
  const classes: RequestClasses = {
    ...{ scheduled, answered: 0, refused: 0, lost: 0, late: 0, failed: 0 },
    ...{ duplicated: 0, stale: 0, torn: 0, undecided: 0 },
    // No prototype: hops may have any name.
    ...{ lostAt: Object.create(null), failedBy: Object.create(null) },
  };
  for (const sample of samples) {
    const one = classOf(sample, by);
    classes[one]++;
    if (one === 'lost') add(classes.lostAt, pastDeadline.exec(sample.error ?? '')?.[1] ?? lastSeenAt);
    if (one === 'failed') add(classes.failedBy, sample.error ?? 'other');
  }
  return classes;
}

const stepMs = 250;

export function classesOverTime(samples: readonly Classified[], by: ClassifiedBy, durationUs: number): ClassesOverTime {
  const steps = Math.max(1, Math.ceil(durationUs / (stepMs * 1e3)));
  const zeros = (): number[] => Array<number>(steps).fill(0);
  const over: ClassesOverTime = { stepMs, served: zeros(), lost: zeros(), failed: zeros() };
  for (const sample of samples) {
    const one = classOf(sample, by);
    const line = one === 'failed' ? over.failed : one === 'lost' || one === 'late' ? over.lost : over.served;
    const step = Math.min(steps - 1, Math.floor(sample.intendedUs / (stepMs * 1e3)));
    line[step] = (line[step] ?? 0) + 1;
  }
  return over;
}

/** A sentence where the classes do not add up to the schedule; undefined where they do. */
export function classesFault(classes: RequestClasses): string | undefined {
  const { scheduled, lostAt: _at, failedBy: _by, ...each } = classes;
  const sum = Object.values(each).reduce((total, count) => total + count, 0);
  if (sum === scheduled) return undefined;
  return `the classes of requests add up to ${sum}, expected the ${scheduled} scheduled requests`;
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
