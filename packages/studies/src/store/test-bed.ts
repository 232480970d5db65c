/** A deployed service with a fresh store: warmed up, then measured once, because a repetition changes its rows. */
import { headers, type RoleStats, type TopoBenchError } from '@topo-bench/core';
import type { Host } from '@topo-bench/core/schema/result';
import {
  type ExperimentCell,
  inFlightCap,
  type MeasureContext,
  type MeasuredRepetition,
  ProcessWatch,
  readingOf,
  type TestBed,
  type Usages,
} from '@topo-bench/experiment';
import { readTreeUsage, sumUsage } from '@topo-bench/host';
import {
  driverNamed,
  type GroupReading,
  type LoadJob,
  type LoadResult,
  LoadWatch,
  loadJob,
  loadOf,
  warmUp,
} from '@topo-bench/loadgen';
import { itemOracle } from '@topo-bench/oracle';
import { storeRequests } from '@topo-bench/workload';
import { readTree } from '../tree-reading.ts';
import { type WarmUpRecord, warmUpRecord } from '../warm-up-record.ts';
import { assembleStoreCell } from './cell.ts';
import { type CallVerdict, countWrong, itemCallCheck } from './check-item-calls.ts';
import { itemAnswer } from './item-answer.ts';
import type { DeployedStore } from './measurement.ts';
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
    context.onPhase('check');
    const generate = storeRequests(workload, seed, repetition);
    const samples = storeSamples(measured.load, this.#store.service, (index) => generate(index).operation);
    const check = this.#check(cell, repetition, measured.load, sent);
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
   * Compares every decision and its effect with the oracle.
   * @param warmUpRequests max number of earlier requests that may have changed the store
   */
  #check(
    { graph, plan, settings }: ExperimentCell,
    repetition: number,
    load: LoadResult,
    warmUpRequests: number,
  ): CallVerdict {
    const { service, secrets, workload } = this.#store;
    const point = plan.roles.find(({ name }) => name === this.#store.entrance);
    const oracle = itemOracle(graph, service, point?.node, secrets.pseudonymKey);
    if (!oracle.enforced) return { wrong: 0, examples: [] };
    const check = itemCallCheck({
      oracle,
      workload,
      seed: settings.seed,
      repetition,
      digestKey: secrets.digestKey,
      warmUpRequests,
      sent: load.samples.index,
    });
    return countWrong(
      Array.from(load.samples.index, (index, row) => {
        const answer = itemAnswer(load, row);
        return answer && check(index, answer);
      }),
    );
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

  async #load(cell: ExperimentCell, repetition: number, { signal, onPhase }: MeasureContext) {
    const { settings, graph } = cell;
    const { server, deployment, launcher } = this.#store;
    const job = loadJob({
      ...loadOf(settings),
      urls: [this.#url],
      request: this.#request,
      repetition,
      inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
    });
    onPhase('load');
    const watch = new LoadWatch({
      groups: (options) => this.#readings(options),
      // The load of a server that topo-bench did not start cannot be distinguished from foreign load.
      ...(server.pid !== undefined && { detachedCpuUs: () => deployment.detachedCpuUs() }),
    });
    const processes = new ProcessWatch(() => this.#usage());
    processes.idle(signal);
    try {
      const load = await driverNamed(settings.load.driver, launcher).run(job, signal, {
        onReady: () => processes.ready(signal, () => deployment.reset()),
        onStart: () => watch.begin(),
        onLoadEnd: () => {
          watch.end();
          onPhase('drain');
        },
        onDrained: () => processes.drained(),
      });
      const { use, host } = await watch.watchings();
      return { load, use, host, processes: await processes.use(), stats: await this.#stats() };
    } finally {
      watch.end();
    }
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
    const usageOf = (role: string): Usages[string] | undefined => {
      const own = roles.find(({ name }) => name === role)?.process;
      return own && sumUsage([own]);
    };
    return present({
      service: usageOf(service),
      enforcement: entrance === service ? undefined : usageOf(entrance),
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

/** Leaves out groups that cannot be read. */
function present<Use>(groups: Readonly<Record<string, Use | undefined>>): Record<string, Use> {
  return Object.fromEntries(
    Object.entries(groups).filter((group): group is [string, Use & {}] => group[1] !== undefined),
  );
}
