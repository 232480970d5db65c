/** A deployed service with a fresh store: warmed up, then measured once, since a repetition leaves other rows behind. */
import type { StoreOptions, TopoBenchError } from '@topo-bench/core';
import { headers } from '@topo-bench/core';
import type { HostUse } from '@topo-bench/host';
import {
  driverNamed,
  type GroupUse,
  type LoadJob,
  type LoadResult,
  LoadWatch,
  type StoreWorkload,
  storeRequests,
  warmUp,
} from '@topo-bench/loadgen';
import type { Deployment } from '@topo-bench/runners';
import type { PreparedStore, ServerIdentity } from '@topo-bench/stores';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import { type ExperimentCell, inFlightCap } from '../build-cell.ts';
import type { Bench, MeasureContext, MeasuredRepetition } from '../laboratory.ts';
import { assembleStoreCell } from './assemble-store-cell.ts';
import { storeSamples } from './store-samples.ts';

/** Everything that a cell's service and its store were deployed with. */
export interface DeployedStore {
  deployment: Deployment;
  /** Name of the service, and what callers of its data routes present. */
  service: string;
  token: string;
  server: StoreServer;
  identity: ServerIdentity;
  prepared: PreparedStore;
  options: StoreOptions;
  workload: StoreWorkload;
  workerPath: string | undefined;
}

/** What the load showed. */
export interface StoreMeasurement {
  load: LoadResult;
  use: Readonly<Record<string, GroupUse>>;
  host: HostUse | undefined;
  warm: boolean;
  deaths: readonly TopoBenchError[];
}

export class StoreBench implements Bench {
  readonly #store: DeployedStore;
  readonly #deaths: TopoBenchError[] = [];

  constructor(store: DeployedStore) {
    this.#store = store;
    store.deployment.onDeath((error) => this.#deaths.push(error));
    store.server.onDeath = (error) => this.#deaths.push(error);
  }

  /** Rows have changed: the next repetition needs a store of its own. */
  async recover(): Promise<boolean> {
    return false;
  }

  async measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    const { workload } = this.#store;
    const { seed } = cell.settings;
    context.onPhase('warm-up');
    const warm = await this.#warmUp(cell, context.signal);
    const measured = await this.#load(cell, repetition, context);
    context.onPhase('check');
    const generate = storeRequests(workload, seed, repetition);
    const samples = storeSamples(measured.load, (index) => generate(index).operation);
    const facts = { ...measured, warm, deaths: this.#deaths, samples, cell, repetition, store: this.#store };
    return { entry: assembleStoreCell(facts), samples, requests: [], spans: [] };
  }

  async close(): Promise<void> {
    this.#store.server.onDeath = undefined;
    await this.#store.deployment.stop();
  }

  async #warmUp({ settings: { warmup, seed } }: ExperimentCell, signal: AbortSignal): Promise<boolean> {
    if (warmup.max === 0) return true;
    let served = 0;
    const { warm } = await warmUp({
      url: `${this.#url}/items`,
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
    return warm;
  }

  async #load(cell: ExperimentCell, repetition: number, { signal, onPhase }: MeasureContext) {
    const { settings, graph } = cell;
    const { server, deployment, workerPath } = this.#store;
    const job: LoadJob = {
      urls: [`${this.#url}/items`],
      request: this.#request,
      seed: settings.seed,
      repetition,
      durationUs: settings.duration,
      drainUs: settings.drain,
      arrivals: settings.load.arrivals,
      rateRps: settings.load.rate,
      connections: settings.load.connections,
      inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
      keepAwake: settings.load.keepAwake,
      ...(settings.load.processes !== undefined && { processes: settings.load.processes }),
    };
    onPhase('load');
    const watch = new LoadWatch(() => ({
      service: deployment.roles.filter(({ name }) => name === this.#store.service).map(({ pid }) => pid),
      store: server.pid === undefined ? [] : [server.pid],
    }));
    try {
      const load = await driverNamed(settings.load.driver, workerPath).run(job, signal, {
        onStart: () => watch.begin(),
        onLoadEnd: () => {
          watch.end();
          onPhase('drain');
        },
      });
      return { load, use: watch.use, host: watch.host };
    } finally {
      watch.end();
    }
  }

  get #url(): string {
    const { deployment, service } = this.#store;
    return deployment.roles.find(({ name }) => name === service)?.url ?? '';
  }

  get #request(): LoadJob['request'] {
    return { kind: 'store', workload: this.#store.workload, headers: { [headers.token]: this.#store.token } };
  }
}
