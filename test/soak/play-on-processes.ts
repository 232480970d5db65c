/** Plays a case of a soak on real processes, with the events of the product, and checks what is claimed of requests. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isEnforced, type Sample } from '@topo-bench/core';
import type { ExperimentEvent } from '@topo-bench/core/schema/experiment';
import { deliveryKeys, deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import type { MemoryFault } from '@topo-bench/flow/memory';
import { hostClock, sleepUntil } from '@topo-bench/host';
import { createOracle, createVersionOracle, type Oracle, type RuleVersion } from '@topo-bench/oracle';
import { classesFault, requestClasses } from '@topo-bench/results';
import type { Deployment, Runner } from '@topo-bench/runners';
import { type Graph, gatewayFor, gatewayName, graphOf } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { EventSchedule } from '../../loadgen/test/fixtures/inner-parts.ts';
import { DeploymentEvents } from '../../packages/routing/test/fixtures/inner-parts.ts';
import { childrenOf } from '../fixtures/processes.ts';
import { isPassed, type Played, Tally, type Violation } from './play-case.ts';
import { sendRequest } from './send-request.ts';
import { metTogether, type SoakCase } from './soak-case.ts';

/** After all events: each has to be served. */
const lastRequests = 10;
const idleWithinMs = 10_000;

export interface Processes {
  runner: Runner;
  logsDir: string;
}

export async function playOnProcesses(one: SoakCase, { runner, logsDir }: Processes): Promise<Played> {
  const graph = graphOf(one.topology, one.rules);
  const changed = one.changes.map(({ rules }) => graphOf(one.topology, rules));
  const plan = planDeployment(graph);
  const secret = randomBytes(16).toString('hex');
  const violations: Violation[] = [];
  const violate = (kind: Violation['kind'], reason: string): void => void violations.push({ kind, reason });
  const before = new Set(childrenOf(process.pid).map(({ pid }) => pid));
  const deployment = await runner.start(
    plan,
    (place) => deploymentDocuments({ graph, plan, seed: 1, secret, place, traceShare: 1 }),
    { logsDir, keepers: true },
  );
  deployment.onDeath(({ message }) => violate('failure', message));
  try {
    const played = await load(one, { graph, changed, plan, deployment });
    const seen = await check(one, { graph, changed, secret, deployment, ...played }, violate);
    return { violations, seen };
  } finally {
    await deployment.stop();
    const left = childrenOf(process.pid).filter(
      ({ pid, commandLine }) => !before.has(pid) && /entry|service/.test(commandLine),
    );
    for (const { commandLine } of left) violate('leak', `still running: ${commandLine}`);
  }
}

interface Parts extends Pick<ExperimentCell, 'graph' | 'plan'> {
  changed: readonly Graph[];
  deployment: Deployment;
}

interface Loaded {
  samples: Sample[];
  versions: (RuleVersion & { graph: Graph })[];
  /** Events that did not take effect, with the cause. */
  failed: string[];
  send(row: number, atUs: number, id: string): Promise<Sample>;
}

/** All requests at their times, and all events at theirs. */
async function load(one: SoakCase, { graph, changed, plan, deployment }: Parts): Promise<Loaded> {
  const cell = { graph, plan, changedRules: changed, settings: { events: eventsOf(one), seed: 1, duration: 0 } };
  const events = new DeploymentEvents(cell as unknown as ExperimentCell, deployment, 0);
  const lastUs = Math.max(...one.requests.map(({ atUs }) => atUs), ...events.forLoad.map(({ atUs }) => atUs));
  const schedule = new EventSchedule(events.forLoad, { durationUs: lastUs + 1 });
  const startAtUs = hostClock.nowUs() + 100_000;
  const urls = new Map(deployment.roles.map(({ name, url }) => [name, url]));
  const agent = new http.Agent({ keepAlive: true });
  const withinMs = graph.deadlines.requestUs / 1e3 + 2000;
  const sending = { agent, withinMs, nowUs: () => hostClock.nowUs() - startAtUs };
  const send = async (row: number, atUs: number, id: string): Promise<Sample> => {
    const request = { ...(one.requests[row] as SoakCase['requests'][number]).request, id };
    const url = urls.get(gatewayFor(graph.gateways, request.origin).name) as string;
    return sendRequest(url, { request, row, atUs }, sending);
  };
  await deployment.reset();
  schedule.start(startAtUs);
  const samples = await Promise.all(
    one.requests.map(async ({ atUs, request }, row) => {
      await sleepUntil(startAtUs + atUs);
      return send(row, atUs, request.id as string);
    }),
  );
  const pending = (): boolean => schedule.records.some(({ outcome }) => outcome === 'unfinished');
  for (const untilMs = performance.now() + idleWithinMs; pending() && performance.now() < untilMs; ) await sleep(20);
  schedule.close();
  const records = events.recordsOf(schedule.records);
  const versions = events.rulesOf(records).map(({ record: { begin } }, i) => {
    const { requestedUs: askedUs = Number.POSITIVE_INFINITY, effectiveUs: confirmedUs } = begin;
    return { graph: changed[i] as Graph, askedUs, confirmedUs };
  });
  const failed = schedule.records.flatMap((record) =>
    record.outcome === 'effective'
      ? []
      : [`${record.name}: ${'error' in record ? record.error.message : record.outcome}`],
  );
  await events.undo();
  return { samples, versions, failed, send };
}

type Checked = Omit<Parts, 'plan'> & Loaded & { secret: string };

async function check(
  one: SoakCase,
  { graph, secret, deployment, samples, versions, failed, send }: Checked,
  violate: (kind: Violation['kind'], reason: string) => void,
): Promise<Record<string, number>> {
  const seen = new Tally();
  // A point that is frozen confirms no rules until it continues, and the next change is refused meanwhile.
  const refused = failed.filter((reason) => reason.includes('another change of rules was in progress'));
  seen.add('change during another', refused.length);
  // Points ask the first gateway for their rules for as long as it is down.
  const waiting = losesRulesForGood(one) ? failed.filter((reason) => /^rules .*: unfinished$/.test(reason)) : [];
  seen.add('rules of a lost gateway', waiting.length);
  for (const reason of failed)
    if (!refused.includes(reason) && !waiting.includes(reason))
      violate('failure', `an event did not take effect: ${reason}`);
  const keys = deliveryKeys(secret);
  const oracle = createVersionOracle(graph, versions, keys);
  const { architecture, consistency } = graph.enforcement;
  const requestOf = (row: number) => (one.requests[row] as SoakCase['requests'][number]).request;
  const [stale, torn] = [new Set<string>(), new Set<string>()];
  for (const [row, sample] of samples.entries()) {
    const { id, intendedUs, sentUs, doneUs } = sample;
    const times = { enteredUs: sentUs ?? intendedUs, endedUs: doneUs ?? Number.POSITIVE_INFINITY };
    const verdict = oracle.checkRequest(requestOf(row), { ...sample, ...times });
    for (const reason of verdict.reasons) violate('wrong', `${id}: ${reason}`);
    if (verdict.torn) torn.add(id);
    if (verdict.stale.length > 0) stale.add(id);
    seen.add('stale since asked', verdict.staleSinceAsked.length);
    seen.add('taken over', sample.steps.filter(({ takenOver }) => takenOver).length);
    seen.add('breaker', sample.error?.startsWith('breaker:') ? 1 : 0);
  }
  if (consistency === 'versioned') for (const id of torn) violate('torn', `${id} was decided by two versions`);
  for (const id of stale) violate('stale', `${id}: old rules decided after the change was confirmed`);

  const untilMs = performance.now() + idleWithinMs;
  let busy: string[];
  do {
    const open = (await deployment.stats()).filter(({ inFlight }) => inFlight > 0);
    busy = open.map(({ name, inFlight }) => `${inFlight} at ${name}`);
    if (busy.length > 0) await sleep(100);
  } while (busy.length > 0 && performance.now() < untilMs);
  for (const reason of busy) violate('leak', `requests in flight after all had ended: ${reason}`);

  const stays = one.faults.some((fault) => fault.kind === 'crash' && fault.restartUs === undefined);
  for (let row = 0; row < lastRequests && !stays && failed.length === 0; row++) {
    const again = (attempt: string) => send(row % samples.length, 0, `last-${row}${attempt}`);
    const first = await again('');
    // A busy machine may be late once.
    const { outcome, error } = isEnded(first) ? first : await again('-again');
    if (!isEnded({ outcome })) violate('not-well-again', `two requests after all events were ${error ?? outcome}`);
  }

  const repeated = new Set((await deployment.stats()).flatMap((stats) => stats.repeated ?? []));
  for (const id of repeated) violate('duplicated', `${id}: a service worked on it twice`);
  const enforces = isEnforced(architecture);
  const by = { deadlineUs: graph.deadlines.requestUs, repeated, stale, torn, enforces };
  const classes = requestClasses(samples, by, one.requests.length);
  const fault = classesFault(classes);
  if (fault) violate('classes', fault);
  if (enforces) {
    const services = new Set(graph.services.map(({ name }) => name));
    const rowOf = new Map(samples.map(({ id }, row) => [id, row]));
    const permitted = permittedServices({ graph, versions, samples }, requestOf);
    const alternatives = new Set(graph.services.filter(({ alternative }) => alternative).map(({ name }) => name));
    const decided = new Set<string>();
    for (const { id, kind, service, role } of await deployment.spans()) {
      if (kind === 'decide' && !alternatives.has(service)) {
        const step = `${service} ${id}`;
        if (decided.has(step)) violate('decided-twice', `${id}: ${role} decides ${service}, which was decided before`);
        decided.add(step);
      }
      const row = rowOf.get(id);
      if (kind !== 'work' || role !== service || !services.has(service) || row === undefined) continue;
      const may = permitted(row);
      seen.add(may ? 'checked call' : 'call without a known version', 1);
      if (may && !may.has(service)) violate('past-enforcement', `${id}: ${service} was called`);
    }
  }
  const { lostAt: _at, failedBy: _by, scheduled: _all, ...each } = classes;
  for (const [name, many] of Object.entries(each)) seen.add(name, many);
  for (const { kind } of one.faults) seen.add(kind, 1);
  seen.add('change', one.changes.length);
  for (const met of metTogether(one)) seen.add(met, 1);
  return seen.counts;
}

/** Whether points fetch their rules from a gateway that does not start again. */
function losesRulesForGood({ topology, faults }: SoakCase): boolean {
  if ((topology.enforcement?.distribution ?? 'push') === 'push') return false;
  return faults.some(
    (fault) => fault.kind === 'crash' && fault.restartUs === undefined && fault.roles.includes(gatewayName),
  );
}

function isEnded({ outcome }: Pick<Sample, 'outcome'>): boolean {
  return outcome === 'completed' || outcome === 'refused';
}

/**
 * The services that a request may reach: those that its decisions permit. A request without them is judged by the
 * oracle, where only one version can have decided it, and otherwise not at all.
 */
function permittedServices(
  { graph, versions, samples }: Pick<Checked, 'graph' | 'versions' | 'samples'>,
  requestOf: (row: number) => SoakCase['requests'][number]['request'],
): (row: number) => ReadonlySet<string> | undefined {
  const graphs = [graph, ...versions.map((version) => version.graph)];
  const oracles = new Map<number, Oracle>();
  return (row) => {
    const { outcome, steps, sentUs, intendedUs } = samples[row] as Sample;
    const passed = (all: readonly { service: string; effect: string; undecided?: true }[]): Set<string> =>
      new Set(all.filter((step) => isPassed(step as Sample['steps'][number])).map(({ service }) => service));
    if (isEnded({ outcome })) return passed(steps);
    const enteredUs = sentUs ?? intendedUs;
    const before = (timeOf: (version: RuleVersion) => number | undefined, untilUs: number): number =>
      versions.reduce(
        (newest, version, i) => ((timeOf(version) ?? Number.POSITIVE_INFINITY) < untilUs ? i + 1 : newest),
        0,
      );
    const first = before(({ confirmedUs }) => confirmedUs, enteredUs);
    const last = before(({ askedUs }) => askedUs, enteredUs + graph.deadlines.requestUs + 1e6);
    if (graph.enforcement.failOpen || first !== last) return undefined;
    const oracle = oracles.get(first) ?? createOracle(graphs[first] as Graph);
    oracles.set(first, oracle);
    return passed(oracle.expectedFlow(requestOf(row)).steps);
  };
}

/** As an experiment has them. */
function eventsOf({ faults, changes }: SoakCase): ExperimentEvent[] {
  return [...faults.map(eventOf), ...changes.map(({ atUs: at }, i) => ({ at, rules: `version ${i + 1}` }))];
}

function eventOf(fault: MemoryFault): ExperimentEvent {
  const { atUs: at } = fault;
  const joined = (roles: readonly string[]): string => roles.join(' and ');
  if (fault.kind === 'crash') return { at, crash: joined(fault.roles), restart: fault.restartUs ?? 'never' };
  if (fault.kind === 'freeze') return { at, freeze: joined(fault.roles), for: fault.forUs };
  if (fault.kind === 'slow') return { at, slow: joined(fault.roles), delay: fault.delayUs, for: fault.forUs };
  const [from, to] = fault.sides;
  return { at, partition: [joined(from), joined(to)], oneWay: fault.oneWay ?? false, for: fault.forUs };
}
