/** Plays a case of a soak in virtual time, and checks what is claimed of every request. */
import type { GatewayRequest, Sample } from '@topo-bench/core';
import { gatewayAnswer } from '@topo-bench/flow';
import type { MemoryAnswer, MemoryFault } from '@topo-bench/flow/memory';
import { createVersionOracle, type RuleVersion, type VersionOracle, type VersionVerdict } from '@topo-bench/oracle';
import { classesFault, requestClasses, requestSample } from '@topo-bench/results';
import { type Graph, graphOf } from '@topo-bench/topology';
import { memoryOf, type TestMemoryOptions } from '../../packages/flow/test/fixtures/memory.ts';
import { timedChange } from '../../packages/flow/test/fixtures/rule-changes.ts';
import { metTogether, rolesOf, type SoakCase } from './soak-case.ts';

/** A claim that does not hold. */
export interface Violation {
  kind:
    | 'past-enforcement'
    | 'wrong'
    | 'torn'
    | 'stale'
    | 'duplicated'
    | 'decided-twice'
    | 'not-worked'
    | 'classes'
    | 'not-well-again'
    | 'leak'
    | 'failure';
  reason: string;
}

export interface Played {
  violations: Violation[];
  /** What the case has met: classes of requests, kinds of faults, decisions by old rules. */
  seen: Record<string, number>;
}

/** A service was called, after these steps. */
interface Call {
  service: string;
  steps: number[];
}

/** @param options break roles on purpose */
export async function playCase(
  one: SoakCase,
  { onEffect, ...options }: Omit<TestMemoryOptions, 'faults'> = {},
): Promise<Played> {
  const graph = graphOf(one.topology, one.rules);
  const versions = one.changes.map(({ rules, atUs }): RuleVersion & { graph: Graph } => {
    return { graph: graphOf(one.topology, rules), askedUs: atUs };
  });
  const faults = faultsOfRoles(one.faults, rolesOf(graph));
  const seen = new Tally();
  const violations: Violation[] = [];
  const violate = (kind: Violation['kind'], reason: string): void => {
    violations.push({ kind, reason });
  };
  const calls = new Map<string, Call[]>();
  /** Each process that has worked on a step; one that starts again has forgotten it. */
  const worked = new Map<object, Set<string>>();
  const workedByName = new Map<string, number>();
  const repeated = new Set<string>();
  /** By request: the steps that a point has decided. */
  const decided = new Map<string, Set<string>>();
  const answeredUs = new Map<string, number>();
  const alternatives = new Set(graph.services.filter(({ alternative }) => alternative).map(({ name }) => name));
  let rolesGraph: Parameters<typeof gatewayAnswer>[0] | undefined;
  const memory = await memoryOf(graph, {
    ...{ faults, decideUs: one.decideUs, prepareUs: one.prepareUs, ...options },
    onEffect: (effect, role, nowUs) => {
      onEffect?.(effect, role, nowUs);
      rolesGraph = role.graph;
      if (effect.kind === 'respond') answeredUs.set(effect.outcome.state.id, nowUs);
      if (effect.kind === 'call' && role.steps === 'decide') {
        const { id, run } = effect.task as typeof effect.task;
        const call = { service: graph.services[effect.service]?.name ?? '', steps: [...run.flow.state.steps] };
        calls.set(id, [...(calls.get(id) ?? []), call]);
      }
      if (effect.kind === 'timer' && 'again' in effect.timer) seen.add('retry', 1);
      if (effect.kind === 'decide') {
        const { id, at } = effect.task.run.flow.state;
        const steps = decided.get(id) ?? new Set();
        const step = `${at} ${effect.service}`;
        if (steps.has(step)) violate('decided-twice', `${id}: ${role.name} decides a step that was decided before`);
        decided.set(id, steps.add(step));
      }
      if (effect.kind === 'work' && !alternatives.has(role.name)) {
        const own = worked.get(role) ?? new Set();
        const { id } = effect.task;
        const name = `${role.name} ${id}`;
        const times = workedByName.get(name) ?? 0;
        workedByName.set(name, times + 1);
        // Only a retry brings a step to a process that has forgotten it.
        if (own.has(id) || (times > 0 && !role.retries)) repeated.add(id);
        else if (times > 0) seen.add('work after a restart', 1);
        worked.set(role, own.add(id));
      }
    },
  });
  const timed = versions.map((version, i) => {
    const { delaysUs } = one.changes[i] as SoakCase['changes'][number];
    let draw = 0;
    const change = timedChange(
      version.graph,
      i + 1,
      version.askedUs,
      () => delaysUs[draw++ % delaysUs.length] as number,
    );
    const confirmed = (atUs: number): void => {
      version.confirmedUs = atUs;
    };
    return { ...change, confirmed };
  });
  let answers: MemoryAnswer[];
  try {
    answers = await memory.sendAll(one.requests, timed);
  } catch (error) {
    return { violations: [{ kind: 'failure', reason: (error as Error).stack ?? '' }], seen: {} };
  }

  const oracle = createVersionOracle(graph, versions, memory.keys);
  const ruleIds = [graph, ...versions.map((version) => version.graph)].map(({ rules }) =>
    rules.rules.map(({ id }) => id),
  );
  const isVersioned = graph.enforcement.consistency === 'versioned';
  const { failOpen } = graph.enforcement;
  const quietUs = wellAgainUs(faults, versions);
  const [stale, torn] = [new Set<string>(), new Set<string>()];
  const samples = answers.map((answer, row) => {
    const { request, atUs } = one.requests[row] as SoakCase['requests'][number];
    const id = request.id as string;
    const sample = sampleOf(answer, request, { atUs, doneUs: answeredUs.get(id) ?? null }, row);
    const endedUs = sample.doneUs ?? Number.POSITIVE_INFINITY;
    const verdict = oracle.checkRequest(request, { ...sample, enteredUs: atUs, endedUs });
    for (const reason of verdict.reasons) violate('wrong', `${id}: ${reason}`);
    if (verdict.torn) torn.add(id);
    if (verdict.stale.length > 0) stale.add(id);
    seen.add('stale since asked', verdict.staleSinceAsked.length);
    const recount = recountStale(sample, versions, atUs);
    const ended = sample.outcome === 'completed' || sample.outcome === 'refused';
    if (ended && recount !== verdict.staleSinceAsked.length)
      violate(
        'stale',
        `${id}: ${recount} decisions are older than its entry, and ${verdict.staleSinceAsked.length} count`,
      );
    seen.add('taken over', sample.steps.filter(({ takenOver }) => takenOver).length);
    seen.add('breaker', sample.error?.startsWith('breaker:') ? 1 : 0);
    // A breaker stays open until the next request finds the peer well.
    if (atUs > quietUs && !ended && !sample.error?.startsWith('breaker:'))
      violate('not-well-again', `${id} entered after all faults, and was ${sample.error}`);
    if (rolesGraph && graph.enforcement.architecture !== 'none')
      for (const reason of pastEnforcement(calls.get(id) ?? [], sample, oracle, {
        request,
        atUs,
        rolesGraph,
        failOpen,
        ruleIds,
      }))
        violate('past-enforcement', `${id}: ${reason}`);
    return sample;
  });
  for (const id of repeated) violate('duplicated', `${id}: a service worked on it twice`);
  if (isVersioned) for (const id of torn) violate('torn', `${id} was decided by two versions`);
  for (const id of stale) violate('stale', `${id}: old rules decided after the change was confirmed`);
  const deadlineUs = graph.deadlines.requestUs;
  const classes = requestClasses(
    samples,
    { deadlineUs, repeated, stale, torn, enforces: graph.enforcement.architecture !== 'none' },
    one.requests.length,
  );
  const fault = classesFault(classes);
  if (fault) violate('classes', fault);
  for (const reason of memory.leftOpen()) violate('leak', reason);
  if (graph.enforcement.resilience) {
    for (const counts of [workedByName, worked, decided]) counts.clear();
    // One by one, so that the first request that meets a breaker closes it.
    const everyUs = graph.enforcement.resilience.breaker ? 2e6 : 10_000;
    const again = one.requests.slice(0, 10).map(({ request }, i) => ({ request, atUs: (i + 1) * everyUs }));
    const isWell = Number.isFinite(quietUs);
    for (const [row, answer] of (await memory.sendAll(again)).entries()) {
      const { request } = again[row] as (typeof again)[number];
      const { steps, outcome, error } = sampleOf(answer, request, { atUs: 0, doneUs: 0 }, row);
      if (isWell && outcome === 'error') violate('not-well-again', `${request.id} was ${error} in its second load`);
      if (outcome !== 'completed') continue;
      for (const { service } of steps.filter((step) => isPassed(step) && !alternatives.has(step.service)))
        if (!workedByName.has(`${service} ${request.id}`))
          violate('not-worked', `${request.id}: in its second load ${service} did not work on it`);
      seen.add('second load', 1);
    }
  }
  const { lostAt: _at, failedBy: _by, scheduled: _all, ...each } = classes;
  for (const [name, count] of Object.entries(each)) seen.add(name, count);
  for (const { kind } of faults) seen.add(kind, 1);
  seen.add('change', one.changes.length);
  for (const met of metTogether(one)) seen.add(met, 1);
  return { violations, seen: seen.counts };
}

export class Tally {
  readonly counts: Record<string, number> = {};

  add(name: string, count: number): void {
    if (count > 0) this.counts[name] = (this.counts[name] ?? 0) + count;
  }
}

/** A smaller topology may lack roles. */
function faultsOfRoles(faults: readonly MemoryFault[], names: readonly string[]): MemoryFault[] {
  const known = (roles: readonly string[]): string[] => roles.filter((role) => names.includes(role));
  return faults.map((fault): MemoryFault => {
    if (fault.kind !== 'partition') return { ...fault, roles: known(fault.roles) };
    return { ...fault, sides: [known(fault.sides[0]), known(fault.sides[1])] };
  });
}

/** From then on every request is served: all faults have ended, and all rules are confirmed. */
function wellAgainUs(faults: readonly MemoryFault[], versions: readonly RuleVersion[]): number {
  const ends = faults.map((fault) =>
    fault.kind === 'crash' ? fault.atUs + (fault.restartUs ?? Number.POSITIVE_INFINITY) : fault.atUs + fault.forUs,
  );
  return Math.max(0, ...ends, ...versions.map(({ confirmedUs = Number.POSITIVE_INFINITY }) => confirmedUs));
}

/** The request as its client has it after the load. */
function sampleOf(
  answer: MemoryAnswer,
  request: GatewayRequest,
  { atUs, doneUs }: { atUs: number; doneUs: number | null },
  row: number,
): Sample {
  const response = typeof answer === 'string' ? undefined : answer.response;
  return requestSample(
    {
      ...{ intendedUs: atUs, sentUs: atUs, doneUs: response ? doneUs : null, rttUs: response?.rttUs ?? null },
      ...{ status: typeof answer === 'string' ? null : answer.status },
      failure: typeof answer === 'string' ? answer : null,
    },
    response,
    request,
    row,
  );
}

/** Decisions by rules older than the newest that had been asked for when the request entered, without the oracle. */
function recountStale({ steps }: Sample, versions: readonly RuleVersion[], enteredUs: number): number {
  const due = versions.filter(({ askedUs }) => askedUs < enteredUs).length;
  return steps.filter(({ version = 0, undecided }) => !undecided && version < due).length;
}

export function isPassed({ effect }: Sample['steps'][number]): boolean {
  return effect === 'allow' || effect === 'redact';
}

interface Known {
  request: GatewayRequest;
  atUs: number;
  rolesGraph: Parameters<typeof gatewayAnswer>[0];
  failOpen: boolean;
  ruleIds: readonly (readonly string[])[];
}

/**
 * Calls of services without a decision that permits them. The answer of a request has its decisions, and the oracle has
 * checked them. A request without one has those that each call was based on.
 */
function pastEnforcement(
  calls: readonly Call[],
  { outcome, steps }: Sample,
  oracle: VersionOracle,
  { request, atUs, rolesGraph, failOpen, ruleIds }: Known,
): string[] {
  const permits = (step: Sample['steps'][number]): boolean => isPassed(step) && (failOpen || !step.undecided);
  if (outcome === 'completed' || outcome === 'refused') {
    const permitted = new Set(steps.filter(permits).map(({ service }) => service));
    return calls.filter(({ service }) => !permitted.has(service)).map(({ service }) => `${service} was called`);
  }
  return calls.flatMap((call) => {
    const state = { steps: call.steps, delivered: { services: [], copies: [] } };
    const { response } = gatewayAnswer(rolesGraph, state as never, { kind: 'completed' }, 0, false, ruleIds);
    const last = response.steps.at(-1);
    if (!last || last.service !== call.service || !permits(last)) return [`${call.service} was called undecided`];
    const record = { steps: response.steps, outcome: 'error' as const };
    const { reasons }: VersionVerdict = oracle.checkRequest(request, {
      ...{ ...record, enteredUs: atUs, endedUs: Number.POSITIVE_INFINITY },
    });
    return reasons.map((reason) => `${call.service} was called: ${reason}`);
  });
}
