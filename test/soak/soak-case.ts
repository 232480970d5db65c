/**
 * A case of a soak as plain data: a topology, its rules and their changes, faults and requests, all of one seed. Faults
 * and requests are named and timed, so that each can be left out alone.
 */
import { type Architecture, architectures, type GatewayRequest, isReplicated } from '@topo-bench/core';
import type { RulesInput } from '@topo-bench/core/schema/rules';
import { spreads, styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { type DeploymentPlan, planDeployment } from '@topo-bench/deployment';
import type { MemoryFault } from '@topo-bench/flow/memory';
import { type Graph, graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { documentsArbitrary, requestArbitrary } from '../fixtures/random-documents.ts';

export interface SoakCase {
  topology: TopologyInput;
  rules: RulesInput;
  /** In the order of their times. Messages arrive after the delays, one by one. */
  changes: { atUs: number; rules: RulesInput; delaysUs: number[] }[];
  faults: MemoryFault[];
  requests: { atUs: number; request: GatewayRequest }[];
  /** Time of a decision, and that of building changed rules. */
  decideUs: number;
  prepareUs: number;
}

const second = 1e6;
/** Faults and changes begin within this time, and faults end within twice that. */
const eventfulUs = 4 * second;
/** The rest of the time shows whether all is well again. */
const spanUs = 10 * second;
const maxDelayUs = { push: 20_000, stream: 20_000, poll: 500_000 };

/** How large cases are, and what is not drawn. */
export interface SoakSizes {
  requests: number;
  maxServices: number;
  /** Default: drawn. */
  architecture?: Architecture;
  deadlines: { hop: string; request: string };
  work: string;
  /** Least time between changes, and from a fault of a role to its next. */
  apartUs: number;
}

const inVirtualTime: SoakSizes = {
  ...{ requests: 250, maxServices: Number.POSITIVE_INFINITY, apartUs: 0 },
  ...{ deadlines: { hop: '300ms', request: '1s' }, work: '3ms' },
};

const faultArbitrary = fc.record({
  kind: fc.constantFrom('crash', 'crash', 'freeze', 'slow', 'partition'),
  atUs: fc.nat(eventfulUs),
  forUs: fc.integer({ min: 1, max: eventfulUs }),
  // Faults that last for some messages, and faults that last longer than deadlines.
  isShort: fc.boolean(),
  isForGood: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  delayUs: fc.integer({ min: 1, max: 300_000 }),
  oneWay: fc.boolean(),
  role: fc.nat(),
  // The point that takes over for it fails with it.
  isBoth: fc.boolean(),
});
type DrawnFault = typeof faultArbitrary extends fc.Arbitrary<infer T> ? T : never;

const drawnArbitrary = ({ requests, maxServices, architecture }: SoakSizes) =>
  fc.record({
    documents: documentsArbitrary.filter(({ topology }) => (topology.services?.length ?? 0) <= maxServices),
    enforcement: fc.record({
      architecture: architecture
        ? fc.constant(architecture)
        : fc.constantFrom(...architectures, ...architectures.filter((name) => name !== 'none')),
      style: fc.constantFrom(...styles),
      routers: fc.integer({ min: 1, max: 4 }),
      replicas: fc.integer({ min: 1, max: 2 }),
      spread: fc.constantFrom(...spreads),
      distribution: fc.constantFrom('push', 'stream', 'poll'),
      consistency: fc.constantFrom('eventual' as const, 'versioned' as const),
      failOpen: fc.constantFrom(false, false, true),
      resilience: fc.option(
        fc.record({
          retries: fc.integer({ min: 0, max: 5 }),
          backoff: fc.constantFrom('5ms', '100ms'),
          takeover: fc.boolean(),
          breaker: fc.option(
            fc.record({ failures: fc.integer({ min: 1, max: 3 }), openFor: fc.constantFrom('50ms', '500ms') }),
            { nil: undefined },
          ),
        }),
        { nil: undefined },
      ),
    }),
    changes: fc.array(
      fc.record({
        atUs: fc.nat(eventfulUs),
        edits: fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }),
        deny: fc.boolean(),
        delays: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
      }),
      { maxLength: 4 },
    ),
    faults: fc.array(faultArbitrary, { maxLength: 6 }),
    requests: fc.array(requestArbitrary, { minLength: 25, maxLength: 25 }),
    arrivals: fc.array(
      fc.record({ atUs: fc.nat(spanUs), near: fc.nat(), afterUs: fc.integer({ min: -50_000, max: 150_000 }) }),
      {
        ...{ minLength: requests, maxLength: requests },
      },
    ),
    decideUs: fc.constantFrom(0, 0, 1_000),
    prepareUs: fc.constantFrom(0, 5_000, 40_000),
  });
type Drawn = ReturnType<typeof drawnArbitrary> extends fc.Arbitrary<infer T> ? T : never;

/** @param seed of the case; the same seed gives the same case */
export function soakCase(seed: number, sizes = inVirtualTime): SoakCase {
  const [drawn] = fc.sample(drawnArbitrary(sizes), { seed, numRuns: 1 }) as [Drawn];
  const { documents, enforcement, decideUs, prepareUs } = drawn;
  const { distribution, resilience, ...others } = enforcement;
  const topology = {
    ...documents.topology,
    enforcement: {
      ...others,
      ...(resilience && { resilience: resilienceOf(resilience, documents.topology, enforcement) }),
      distribution: distribution === 'poll' ? { poll: '500ms' } : distribution,
    },
    deadlines: sizes.deadlines,
    links: [{ from: 'eu', to: 'us', delay: '4ms' }],
    defaults: { work: sizes.work },
  } as TopologyInput;
  const maxUs = maxDelayUs[distribution as keyof typeof maxDelayUs];
  const plan = planDeployment(graphOf(topology, documents.rules));
  const faults = faultsOn(plan, drawn.faults, sizes.apartUs);
  const outages = outagesOfPoints(plan, faults);
  const changes = (enforcement.architecture === 'none' ? [] : drawn.changes)
    .map((change, i) => {
      // Every second change is asked for while an enforcement point is down.
      const outage = i % 2 === 0 ? outages[i % outages.length] : undefined;
      return outage ? { ...change, atUs: outage.atUs + (change.atUs % outage.forUs) } : change;
    })
    .sort((one, other) => one.atUs - other.atUs)
    .filter(({ atUs }, i, all) => i === 0 || atUs - (all[i - 1]?.atUs ?? 0) >= sizes.apartUs)
    .map(({ atUs, edits, deny, delays }, i) => ({
      ...{ atUs, rules: edited(documents.rules, edits, deny, i + 1) },
      delaysUs: delays.map((share) => Math.floor(share * maxUs)),
    }));
  const moments = [...changes, ...faults].map(({ atUs }) => atUs);
  const requests = drawn.arrivals.map(({ atUs, near, afterUs }, i) => ({
    // Half of the requests arrive around an event.
    atUs: i % 2 === 0 && moments.length > 0 ? Math.max(0, (moments[near % moments.length] as number) + afterUs) : atUs,
    request: { ...(drawn.requests[i % drawn.requests.length] as GatewayRequest), id: `r${i}` },
  }));
  return { topology, rules: documents.rules, changes, faults, requests, decideUs, prepareUs };
}

/** Without takeover where no process could. */
function resilienceOf(
  { breaker, takeover, ...others }: NonNullable<Drawn['enforcement']['resilience']>,
  { services = [] }: TopologyInput,
  { architecture, routers, replicas }: Drawn['enforcement'],
) {
  const points = architecture === 'dynamic-router' ? Math.min(routers, services.length) : 1;
  const canTakeOver = isReplicated(architecture) && points * replicas > 1;
  return { ...others, takeover: takeover && canTakeOver, ...(breaker && { breaker }) };
}

export function rolesOf(graph: Graph): string[] {
  return planDeployment(graph).roles.map(({ name }) => name);
}

/** What the faults and changes of a case meet together, once for each; a change meets crashes of enforcement points. */
export function metTogether({ topology, rules, faults, changes }: SoakCase): string[] {
  const { distribution = 'push', resilience } = topology.enforcement ?? {};
  const { retries = 0, takeover = false, breaker } = resilience ?? {};
  const outages = outagesOfPoints(planDeployment(graphOf(topology, rules)), faults);
  const isDown = (at: number): boolean => outages.some(({ atUs, forUs }) => atUs < at && at < atUs + forUs);
  const during = changes.filter(({ atUs }) => isDown(atUs));
  const buys = Object.entries({ retries: retries > 0, takeover, breaker: breaker !== undefined });
  return [
    ...during.map(() => `${typeof distribution === 'string' ? distribution : 'poll'} before a restart`),
    ...buys.flatMap(([name, isOn]) => (isOn && during.length > 0 ? [`${name}, a crash and a change`] : [])),
    ...faults.flatMap((fault) => (fault.kind !== 'partition' && fault.roles.length > 1 ? ['two neighbours'] : [])),
  ];
}

/** When enforcement points are down that start again. */
function outagesOfPoints({ roles }: DeploymentPlan, faults: readonly MemoryFault[]): { atUs: number; forUs: number }[] {
  const hasRules = new Set(roles.flatMap(({ kind, name }) => (kind === 'gateway' || kind === 'service' ? [] : [name])));
  return faults.flatMap((fault) => {
    if (fault.kind !== 'crash' || fault.restartUs === undefined) return [];
    return fault.roles.some((role) => hasRules.has(role)) ? [{ atUs: fault.atUs, forUs: fault.restartUs }] : [];
  });
}

/** Faults of one role do not overlap: those that would are left out. */
function faultsOn({ roles, takeover }: DeploymentPlan, drawn: readonly DrawnFault[], apartUs: number): MemoryFault[] {
  const names = roles.map(({ name }) => name);
  const busy = new Map<string, [fromUs: number, toUs: number][]>();
  return drawn.flatMap(({ kind, atUs, isForGood, isShort, role, isBoth, ...fault }): MemoryFault[] => {
    const name = names[role % names.length] as string;
    const failing = [...new Set([name, (isBoth && takeover?.[name]) || name])];
    const forUs = isShort ? 1 + (fault.forUs % 100_000) : fault.forUs;
    const toUs = kind === 'crash' && isForGood ? Number.POSITIVE_INFINITY : atUs + forUs;
    const others = failing.flatMap((one) => busy.get(one) ?? []);
    if (others.some((other) => atUs <= other[1] + apartUs && other[0] <= toUs + apartUs)) return [];
    for (const one of failing) busy.set(one, [...(busy.get(one) ?? []), [atUs, toUs]]);
    const on = { atUs, roles: failing };
    if (kind === 'crash') return [{ kind, ...on, ...(!isForGood && { restartUs: forUs }) }];
    if (kind === 'freeze') return [{ kind, ...on, forUs }];
    if (kind === 'slow') return [{ kind, ...on, delayUs: fault.delayUs, forUs }];
    const sides = [failing, names.filter((other) => !failing.includes(other))] as const;
    return [{ kind: 'partition', atUs, forUs, oneWay: fault.oneWay, sides }];
  });
}

/** Other ids, and some rules that are missing or have another effect. Reroutes stay: peers follow from them. */
function edited({ rules, ...file }: RulesInput, edits: readonly number[], deny: boolean, version: number): RulesInput {
  const kept = rules.flatMap((rule, i): typeof rules => {
    const named = { ...rule, id: `${rule.id}-v${version}` };
    if (rule.effect === 'reroute' || edits[i] === 0) return [named];
    if (edits[i] === 1) return [];
    const { redact: _, ...plain } = named;
    return [{ ...plain, effect: rule.effect === 'deny' ? 'allow' : 'deny' } as typeof rule];
  });
  return { ...file, default: deny ? 'deny' : (file.default ?? 'allow'), rules: kept };
}
