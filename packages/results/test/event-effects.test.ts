import type { Sample } from '@topo-bench/core';
import type { EventRecord } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { effectsOfEvents } from '../src/event-effects.ts';

const ms = 1000;
const second = 1000 * ms;

/** A request each 100 ms, answered after 10 ms; those of some times as given. */
function load(seconds: number, changes: (atMs: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: seconds * 10 }, (_, at): Sample => {
    const intendedUs = at * 100 * ms;
    return {
      ...{
        id: String(at),
        class: 'order',
        intendedUs,
        sentUs: intendedUs,
        doneUs: intendedUs + 10 * ms,
        rttUs: 9 * ms,
      },
      ...{ status: 200, outcome: 'completed', rule: null, error: null, hops: 2, hopsBetweenNodes: 0 },
      ...{ exposureBytes: {}, steps: [{ service: 'a', effect: 'allow' }] },
      ...changes(at * 100),
    };
  });
}

const crash = (atMs: number, restartMs?: number): EventRecord => {
  const instant = (at: number) => ({ atUs: at * ms, requestedUs: at * ms, effectiveUs: (at + 5) * ms });
  const end = restartMs === undefined ? {} : { end: instant(restartMs) };
  return { name: 'crash p', kind: 'crash', roles: ['p'], begin: instant(atMs), ...end };
};
const failed = { outcome: 'error', error: 'unreachable:p' } as const;
const options = {
  deadlineUs: 5 * second,
  durationUs: 10 * second,
  gatewaysOf: () => ['gateway'],
  executorsOf: (service: string) => [service === 'a' ? 'p' : service],
};
const outage =
  (from: number, to: number) =>
  (at: number): Partial<Sample> =>
    at >= from && at < to ? failed : {};

describe('errors that no event explains', () => {
  const rules = (atMs: number): EventRecord => {
    const us = atMs * ms;
    return {
      name: 'rules v2',
      kind: 'rules',
      roles: [],
      begin: { atUs: us, requestedUs: us, effectiveUs: us + 5 * ms },
    };
  };
  const fault = { outcome: 'error', error: 'internal:q' } as const;

  it('are not those of a change of rules, which also takes none from a crash', () => {
    const samples = load(10, (at) => (at >= 2000 ? fault : {}));
    expect(effectsOfEvents(samples, [rules(1000)], options)).toMatchObject({
      ...{ unplanned: { 'internal:q': 80 }, effects: [{ failed: 0 }] },
    });
    const lost = { outcome: 'unfinished', error: 'deadline:q', doneUs: 7 * second } as const;
    const both = load(10, (at) => (at === 2900 ? lost : {}));
    // A request without an end is no error.
    expect(effectsOfEvents(both, [rules(1000)], options).unplanned).toEqual({});
    const [alone] = effectsOfEvents(both, [crash(2000, 3000)], options).effects;
    const { effects } = effectsOfEvents(both, [crash(2000, 3000), rules(2900)], options);
    expect(alone).toMatchObject({ lost: 1 });
    expect(effects).toEqual([alone, { lost: 0, failed: 0, late: 0 }]);
  });

  it('are not those of a breaker that the event has opened, for as long as it may be open', () => {
    const refused = (role: string) => (at: number) =>
      at >= 2000 && at < 3500 ? { ...failed, error: `breaker:${role}` } : {};
    const unplanned = (role: string, breakerUs?: number): number => {
      const by = { ...options, ...(breakerUs !== undefined && { breakerUs }) };
      return effectsOfEvents(load(10, refused(role)), [crash(2000, 3000)], by).unplanned[`breaker:${role}`] ?? 0;
    };
    expect([unplanned('p'), unplanned('p', 300 * ms), unplanned('p', second)]).toEqual([4, 1, 0]);
    expect(unplanned('q', second)).toBe(4);
  });

  it('are faults of a role that the event does not have', () => {
    const samples = load(10, (at) => (at >= 2000 && at < 2500 ? fault : {}));
    expect(effectsOfEvents(samples, [crash(2000, 3000)], options).unplanned).toEqual({ 'internal:q': 5 });
    const own = load(10, (at) => (at >= 2000 && at < 2500 ? { ...fault, error: 'internal:p' } : {}));
    expect(effectsOfEvents(own, [crash(2000, 3000)], options).unplanned).toEqual({});
  });
});

describe('the effects of a crash', () => {
  it('are the requests that were not served meanwhile, and the times until detection and recovery', () => {
    const { effects, unplanned } = effectsOfEvents(load(10, outage(2000, 3000)), [crash(2000, 3000)], options);
    expect(effects).toEqual([
      { lost: 0, failed: 10, late: 0, detectedUs: 10 * ms, firstSuccessUs: 1010 * ms, recoveredUs: 1000 * ms },
    ]);
    expect(unplanned).toEqual({});
  });

  it('include requests that were open when it happened, and are found at their deadline', () => {
    const lost = { outcome: 'unfinished', error: 'deadline:p', doneUs: 7 * second } as const;
    const samples = load(10, (at) => (at === 1900 ? lost : {}));
    const [effect] = effectsOfEvents(samples, [crash(2000, 3000)], options).effects;
    expect(effect).toMatchObject({ lost: 1, failed: 0, detectedUs: 5 * second });
  });

  it('exclude errors before it, and after its restart has taken effect', () => {
    const samples = load(10, (at) => (at === 1500 || at === 3100 ? failed : {}));
    expect(effectsOfEvents(samples, [crash(2000, 3000)], options)).toMatchObject({
      effects: [{ failed: 0 }],
      unplanned: { 'unreachable:p': 2 },
    });
  });

  it('are those of the later one of two that overlap', () => {
    const samples = load(10, outage(2500, 2600));
    const two = [crash(2000, 4000), crash(2400, 3000), crash(6000, 7000)];
    expect(effectsOfEvents(samples, two, options).effects.map((effect) => effect.failed)).toEqual([0, 1, 0]);
  });

  it('are those of the event of the hop that the error names, and of the gateway where a client has no answer', () => {
    const of = (role: string, atMs: number) => ({ ...crash(atMs), name: `crash ${role}`, roles: [role] });
    const slow = { ...of('gateway', 1000), kind: 'slow' as const };
    const events = [slow, of('gateway', 2000), of('p', 3000), of('q', 4000)];
    const refused = { outcome: 'error', error: 'connection-refused', doneUs: null } as const;
    const samples = load(10, (at) => (at === 5000 ? failed : at === 6000 ? refused : {}));
    const { effects } = effectsOfEvents(samples, events, options);
    expect(effects.map((effect) => effect.failed)).toEqual([0, 1, 1, 0]);
    expect(effects[1]?.detectedUs).toBe(4000 * ms);
  });

  it('end before the next event, which takes no part in the recovery', () => {
    const two = [crash(2000, 3000), crash(3400, 4000)];
    const { effects } = effectsOfEvents(
      load(10, (at) => ({ ...outage(2000, 3000)(at), ...outage(3400, 4000)(at) })),
      two,
      options,
    );
    expect(effects.map(({ recoveredUs }) => recoveredUs)).toEqual([1000 * ms, 600 * ms]);
  });

  it('compare the time after it with requests before it that had ended, however slow these are', () => {
    // Each takes 900 ms, so that nine are open at the crash.
    const slow = (at: number): Partial<Sample> => ({ doneUs: (at + 900) * ms, ...outage(1200, 3000)(at) });
    const [effect] = effectsOfEvents(load(10, slow), [crash(2000, 3000)], options).effects;
    expect(effect).toMatchObject({ failed: 18, recoveredUs: 1000 * ms });
  });

  it('compare the time after it with the minute before it, or with the load until then', () => {
    const internal = { outcome: 'error', error: 'internal:q' } as const;
    // One request of ten fails for another reason, but none in the second before the crash.
    const samples = load(10, (at) => ({
      ...(at === 0 || at === 500 || (at >= 3000 && at % 1000 === 0) ? internal : {}),
      ...outage(2000, 3000)(at),
    }));
    expect(effectsOfEvents(samples, [crash(2000, 3000)], options).effects[0]?.recoveredUs).toBe(1000 * ms);
  });

  it('have no detection where no client had an error', () => {
    const [effect] = effectsOfEvents(
      load(10, () => ({})),
      [crash(2000, 3000)],
      options,
    ).effects;
    expect(effect).not.toHaveProperty('detectedUs');
    expect(effect?.recoveredUs).toBe(0);
  });

  it('never end where the role stays down', () => {
    const [effect] = effectsOfEvents(load(10, outage(2000, 10_000)), [crash(2000)], options).effects;
    expect(effect).toMatchObject({ failed: 80, firstSuccessUs: Infinity, recoveredUs: Infinity });
  });

  it('count as success only what needs the role', () => {
    const other = { steps: [{ service: 'b', effect: 'allow' }] } as const;
    const samples = load(10, (at) => (at >= 2000 && at < 3000 ? (at % 200 === 0 ? other : failed) : {}));
    const [effect] = effectsOfEvents(samples, [crash(2000, 3000)], options).effects;
    expect(effect?.firstSuccessUs).toBe(1010 * ms);
  });

  it('count as success nothing that another replica or gateway may have served', () => {
    const samples = load(10, (at) => ({ class: at % 200 === 0 ? 'eu' : 'both' }));
    const crashed = (...roles: string[]) => [{ ...crash(2000, 3000), roles }];
    const spread = {
      ...options,
      executorsOf: () => ['p', 'p-2'],
      gatewaysOf: (name: string) => (name === 'eu' ? ['gateway'] : ['gateway', 'gateway-us']),
    };
    const firstOf = (...roles: string[]) =>
      effectsOfEvents(samples, crashed(...roles), spread).effects[0]?.firstSuccessUs;
    expect([firstOf('p'), firstOf('gateway-us'), firstOf('gateway')]).toEqual([undefined, undefined, undefined]);
    expect([firstOf('p', 'p-2'), firstOf('gateway', 'gateway-us')]).toEqual([110 * ms, 110 * ms]);
    // Where each class enters at one gateway, the figure is known.
    const apart = { ...spread, gatewaysOf: (name: string) => [name === 'eu' ? 'gateway' : 'gateway-us'] };
    const [first] = effectsOfEvents(samples, crashed('gateway'), apart).effects;
    expect(first?.firstSuccessUs).toBe(210 * ms);
  });

  it('give a lost connection to the crash of the gateway of its class alone', () => {
    const lost = { class: 'eu', outcome: 'error', error: 'connection-reset', doneUs: null } as const;
    const samples = load(10, (at) => (at === 2000 ? lost : { class: 'us' }));
    const apart = { ...options, gatewaysOf: (name: string) => [name === 'eu' ? 'gateway' : 'gateway-us'] };
    const unplanned = (role: string) =>
      effectsOfEvents(samples, [{ ...crash(2000, 3000), roles: [role] }], apart).unplanned;
    expect([unplanned('gateway'), unplanned('gateway-us')]).toEqual([{}, { 'connection-reset': 1 }]);
  });

  it('count refused requests as served, and compare with the share before', () => {
    const refused = (at: number): Partial<Sample> => (at % 200 === 0 ? { outcome: 'refused' } : {});
    const samples = load(10, (at) => ({ ...refused(at), ...outage(2000, 2500)(at) }));
    expect(effectsOfEvents(samples, [crash(2000, 2500)], options).effects[0]?.recoveredUs).toBe(500 * ms);
  });
});

describe('a request that was lost', () => {
  const freeze = (atMs: number): EventRecord => ({ ...crash(atMs, atMs + 300), name: 'freeze p', kind: 'freeze' });
  const lost = { outcome: 'unfinished', error: 'deadline:p', doneUs: null } as const;
  const lostAt = (atMs: number) => load(10, (at) => (at === atMs ? lost : {}));
  const lostOf = (atMs: number, events: EventRecord[]) =>
    effectsOfEvents(lostAt(atMs), events, { ...options, deadlineUs: 2 * second }).effects.map(
      (effects) => effects.lost,
    );

  it('is one of the crash during which it was open, not of a later event of the same role', () => {
    expect(lostOf(900, [crash(1000, 1500), freeze(6000)])).toEqual([1, 0]);
    expect(lostOf(900, [crash(1000, 1500), crash(6000, 6500)])).toEqual([1, 0]);
    // Both happen within its deadline.
    expect(lostOf(900, [crash(1000, 1500), freeze(2500)])).toEqual([1, 0]);
    expect(lostOf(6100, [crash(1000, 1500), freeze(6000)])).toEqual([0, 1]);
  });
});

describe('steps that another point took over', () => {
  const taken =
    (from: number, to: number) =>
    (at: number): Partial<Sample> =>
      at >= from && at < to ? { steps: [{ service: 'a', effect: 'allow', takenOver: true }] } : {};
  const of = (
    samples: Sample[],
    events: EventRecord[],
    pointOf = (service: string) => (service === 'a' ? ['p'] : []),
  ) => effectsOfEvents(samples, events, { ...options, pointOf }).effects.map(({ takenOver }) => takenOver);

  it('are those of the last event of its roles that began before their request ended', () => {
    const other = { ...crash(2100, 2200), roles: ['q'] };
    // A breaker keeps p away for longer than the first crash lasts.
    const samples = load(10, (at) => ({ ...taken(2000, 3300)(at), ...taken(5000, 5500)(at) }));
    expect(of(samples, [crash(2000, 3000), other, crash(5005, 5500)])).toEqual([13, 0, 5]);
    expect(of(samples, [crash(6000, 7000)])).toEqual([0]);
    // A request that its deadline cut off ended there, and an event that never began took nothing.
    const cut = load(10, (at) => ({ ...taken(2000, 2010)(at), ...(at === 2000 && { doneUs: null }) }));
    const never = { ...crash(2000), begin: {} } as EventRecord;
    expect(of(cut, [crash(1000, 1500), crash(9500), never])).toEqual([1, 0, 0]);
  });

  it('are no figure without takeover, and none of a change of rules', () => {
    expect(effectsOfEvents(load(1, taken(0, 500)), [crash(0, 500)], options).effects[0]).not.toHaveProperty(
      'takenOver',
    );
    expect(of(load(1, taken(0, 500)), [{ ...crash(0), kind: 'rules', roles: ['p'] }])).toEqual([undefined]);
  });
});
