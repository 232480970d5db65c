/** A deployed service with a fresh store: warmed up, then measured once, because a repetition changes its rows. */
import { diskFullStatus, headers, type RoleStats, TopoBenchError } from '@topo-bench/core';
import type { Host } from '@topo-bench/core/schema/result';
import { inFlightCap } from '@topo-bench/deployment';
import { readTreeUsage } from '@topo-bench/host';
import {
  driverNamed,
  type GroupReading,
  type LoadJob,
  type LoadResult,
  loadJob,
  loadOf,
  measureLoad,
  type SystemUse,
  type Usages,
  warmUp,
} from '@topo-bench/loadgen';
import { readingOf, usageOfRole } from '@topo-bench/measured';
import { itemOracle } from '@topo-bench/oracle/item-calls';
import { withWayToSpace } from '@topo-bench/stores';
import { readTree } from '@topo-bench/study-kit/tree-reading';
import { type WarmUpRecord, warmUpRecord } from '@topo-bench/study-kit/warm-up-record';
import type { ExperimentCell, MeasureContext, MeasuredRepetition, TestBed } from '@topo-bench/trial';
import { storeRequests } from '@topo-bench/workload';
import { assembleStoreCell } from './cell.ts';
import { type CallVerdict, countWrong, itemCallCheck } from './check-item-calls.ts';
import { type ClosingFindings, closingFindings } from './closing-calls.ts';
import { itemAnswer } from './item-answer.ts';
import type { DeployedStore } from './measurement.ts';
import { queryFindings } from './query-findings.ts';
import { storeSamples } from './samples.ts';

export class StoreTestBed implements TestBed {
  readonly #store: DeployedStore;
  readonly #deaths: TopoBenchError[] = [];

  constructor(store: DeployedStore) {
    this.#store = store;
    store.deployment.onDeath((error) => this.#deaths.push(error));
    store.server.onDeath = (error) => this.#deaths.push(error);
  }

  get hosts(): readonly Host[] {
    return this.#store.deployment.hosts;
  }

  /** Always false: rows have changed, so the next repetition needs a new store. */
  async recover(): Promise<boolean> {
    return false;
  }

  async measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    const { workload } = this.#store;
    const { seed } = cell.settings;
    context.onPhase('warm-up');
    const { sent, warm, ...history } = await this.#warmUp(cell, context.signal);
    const measured = await this.#load(cell, repetition, context);
    this.#requireSpace(measured.load);
    context.onPhase('check');
    const generate = storeRequests(workload, seed, repetition);
    const samples = storeSamples(measured.load, this.#store.service, (index) => generate(index).operation);
    const check = await this.#check(cell, repetition, measured.load, sent, context.signal);
    const facts = {
      ...measured,
      warm,
      history: { rank: 1, ...history },
      deaths: this.#deaths,
      samples,
      check,
      cell,
      repetition,
      store: this.#store,
    };
    return { entry: assembleStoreCell(facts), samples, requests: [], spans: [] };
  }

  async close(): Promise<void> {
    this.#store.server.onDeath = undefined;
    await this.#store.deployment.stop();
  }

  /**
   * The repetitions after a full disk would fail too.
   * @throws TopoBenchError `TB_STORE_DISK_FULL`
   */
  #requireSpace({ samples: { status } }: LoadResult): void {
    const { service, server } = this.#store;
    const full = status.reduce((count, code) => count + Number(code === diskFullStatus), 0);
    const failed = status.reduce((count, code) => count + Number(code === 0 || code >= 500), 0);
    const death = this.#deaths.find(({ code }) => code === 'TB_STORE_DISK_FULL');
    if (death) throw death;
    if (full === 0 && (failed === 0 || !server.hasFullDisk?.())) return;
    const message = `the disk of the store is full: ${service} failed to answer ${failed} of ${status.length} requests`;
    throw withWayToSpace(new TopoBenchError('TB_STORE_DISK_FULL', message), server);
  }

  /**
   * Compares every decision and its effect with the oracle, and the answers to queries over Flight SQL.
   * @param warmUpRequests max number of earlier requests that may have changed the store
   */
  async #check(
    { graph, plan, settings }: ExperimentCell,
    repetition: number,
    load: LoadResult,
    warmUpRequests: number,
    signal: AbortSignal,
  ): Promise<CallVerdict> {
    const { service, secrets, workload, entrance } = this.#store;
    const point = plan.roles.find(({ name }) => name === entrance);
    const oracle = itemOracle(graph, service, point?.node, secrets.pseudonymKey);
    const sent = load.samples.index;
    const stored = { oracle, workload, seed: settings.seed, repetition, warmUpRequests, sent };
    const findings: (string | undefined)[] = [];
    let closing: ClosingFindings | undefined;
    if (oracle.enforced) {
      const check = itemCallCheck({ ...stored, digestKey: secrets.digestKey });
      for (const [row, index] of sent.entries()) {
        const answer = itemAnswer(load, row);
        findings.push(answer && check(index, answer));
      }
    }
    if (this.#deaths.length === 0) findings.push(...(await queryFindings(graph, this.#store, stored, signal)));
    if (this.#deaths.length === 0 && oracle.enforced) {
      const { clientToken } = secrets;
      const settled = isSettled(load);
      closing = await closingFindings({ url: this.#url, clientToken, stored, settled, signal });
      findings.push(...closing.wrong);
    }
    const { unanswered } = closing ?? {};
    return { ...countWrong(findings), ...(unanswered !== undefined && { unanswered }) };
  }

  async #warmUp(
    { settings: { warmup, seed } }: ExperimentCell,
    signal: AbortSignal,
  ): Promise<WarmUpRecord & { sent: number }> {
    if (warmup.max === 0) return { warm: true, sent: 0 };
    let served = 0;
    const result = await warmUp({
      url: this.#url,
      request: this.#request,
      seed,
      connections: warmup.connections,
      windowUs: warmup.window,
      maxUs: warmup.max,
      requests: warmup.requests,
      change: warmup.change,
      onAnswer: () => served++,
      servedPerProcess: async () => [served],
      signal,
    });
    return { ...warmUpRecord(result), sent: served + result.errors + warmup.connections };
  }

  async #load(cell: ExperimentCell, repetition: number, context: MeasureContext) {
    const { settings, graph } = cell;
    const { server, deployment, launcher } = this.#store;
    const job = loadJob({
      ...loadOf(settings),
      urls: [this.#url],
      request: this.#request,
      repetition,
      inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
    });
    const { load, use, host, systems } = await measureLoad({
      ...context,
      driver: driverNamed(settings.load.driver, launcher),
      job,
      systems: [{ usage: () => this.#usage(), reset: () => deployment.reset(), stats: () => this.#stats() }],
      groups: (options) => this.#readings(options),
      // The load of a server that topo-bench did not start cannot be distinguished from foreign load.
      ...(server.pid !== undefined && { detachedCpuUs: () => this.#detachedCpuUs() }),
    });
    const [{ processes, stats }] = systems as [SystemUse<RoleStats[]>];
    return { load, use, host, processes, stats };
  }

  /** A server in a container is no descendant of this process. */
  async #detachedCpuUs(): Promise<number> {
    const { deployment, server } = this.#store;
    const roles = await deployment.detachedCpuUs();
    if (server.container === undefined || server.pid === undefined) return roles;
    return roles + (readTreeUsage([server.pid])?.cpuUs ?? 0);
  }

  /** Resources with the name of the group as kind of role. */
  async #stats(): Promise<RoleStats[]> {
    if (this.#deaths.length > 0) return [];
    const { deployment, service, entrance } = this.#store;
    const kinds: Record<string, string> = { [entrance]: 'enforcement', [service]: 'service' };
    return (await deployment.stats()).flatMap((role) => {
      const kind = kinds[role.name];
      return kind === undefined ? [] : [{ ...role, kind }];
    });
  }

  async #usage(): Promise<Usages> {
    const { deployment, service, entrance, server } = this.#store;
    const roles = await deployment.usage();
    return present({
      service: usageOfRole(roles, service),
      enforcement: entrance === service ? undefined : usageOfRole(roles, entrance),
      store: server.pid === undefined ? undefined : readTreeUsage([server.pid]),
    });
  }

  async #readings(options: { pss: boolean }): Promise<Record<string, GroupReading>> {
    const { deployment, service, entrance, server } = this.#store;
    const roles = await deployment.usage(options);
    return present({
      service: readingOf(roles, service),
      enforcement: entrance === service ? undefined : readingOf(roles, entrance),
      store: server.pid === undefined ? undefined : readTree(server.pid, options),
    });
  }

  get #url(): string {
    const { deployment, entrance, workload } = this.#store;
    return `${deployment.roles.find(({ name }) => name === entrance)?.url}${workload.path}`;
  }

  get #request(): LoadJob['request'] {
    const { workload, secrets, entrance, service } = this.#store;
    const keepResponses = entrance !== service;
    return { kind: 'store', workload, headers: { [headers.token]: secrets.clientToken }, keepResponses };
  }
}

/** Whether no write can still be on its way: the store may execute that of a failed request later. */
function isSettled({ unfinished, samples: { error, status } }: LoadResult): boolean {
  return unfinished === 0 && error.every((kind) => kind === 0) && status.every((code) => code < 500);
}

/** Leaves out groups that cannot be read. */
function present<Use>(groups: Readonly<Record<string, Use | undefined>>): Record<string, Use> {
  return Object.fromEntries(
    Object.entries(groups).filter((group): group is [string, Use & {}] => group[1] !== undefined),
  );
}
