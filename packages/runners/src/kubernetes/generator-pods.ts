/** Load generators as pods next to the roles, started with the first load that needs them. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostPart, type TopoBenchError } from '@topo-bench/core';
import {
  generatorName,
  generatorPod,
  generatorPort,
  generatorRole,
  generatorSecret,
  type KubernetesObject,
} from '@topo-bench/deployment/kubernetes';
import type { GeneratorAddress } from '../runner.ts';
import type { ApiClient } from './api-client.ts';
import { createObjects } from './namespace.ts';
import type { Pod } from './pod.ts';
import type { PodTracker } from './pod-tracker.ts';
import { podProxyPath } from './resources.ts';
import { hostId } from './role-figures.ts';

export interface GeneratorPlace {
  api: ApiClient;
  namespace: string;
  image: string;
  labels: Readonly<Record<string, string>>;
  tracker: PodTracker;
  /** Whether pods are reached from here; otherwise the API server passes the links on. */
  isDirect: boolean;
}

const readyWithinMs = 60_000;
/** The end of a link is seen before the cluster reports the end of the pod. */
const reportedWithinMs = 3000;

export class GeneratorPods {
  readonly #place: GeneratorPlace;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #deaths = new Map<string, TopoBenchError>();
  #started = 0;
  /** Aborted with the first death. */
  readonly #failed = new AbortController();

  constructor(place: GeneratorPlace) {
    this.#place = place;
  }

  /**
   * Starts pods until `count` of them run.
   * @throws TopoBenchError `TB_ROLE_NOT_READY`, `TB_ROLE_DIED`, `TB_CLUSTER_REFUSED`
   */
  async start(count: number, given?: AbortSignal): Promise<GeneratorAddress[]> {
    const { api, tracker } = this.#place;
    const signal = AbortSignal.any([this.#failed.signal, ...(given ? [given] : [])]);
    await this.#create(count, signal);
    const names = Array.from({ length: count }, (_, index) => generatorRole(index));
    const inTime = AbortSignal.timeout(readyWithinMs);
    try {
      await tracker.whenReady(names, AbortSignal.any([signal, inTime]));
    } catch (error) {
      if (!inTime.aborted || signal.aborted) throw error;
      throw await tracker.notReady(names, readyWithinMs);
    }
    const headers = await api.headers();
    return names.map((name, index) => this.#addressOf(name, index, headers));
  }

  /** Names of the pods that were started. */
  get names(): string[] {
    return Array.from({ length: this.#started }, (_, index) => generatorName(index));
  }

  /** Called for every pod that ends. @param name value of its label for roles */
  reportDeath(name: string, error: TopoBenchError): void {
    if (!Array.from({ length: this.#started }, (_, index) => generatorRole(index)).includes(name)) return;
    this.#deaths.set(name, error);
    this.#failed.abort(error);
  }

  async #create(count: number, signal: AbortSignal): Promise<void> {
    const { api } = this.#place;
    const first = this.#started;
    this.#started = Math.max(first, count);
    const pods: KubernetesObject[] = [];
    for (let index = first; index < count; index++) pods.push(generatorPod(index, this.#place));
    if (first === 0) await createObjects(api, [generatorSecret(this.#token, this.#place)], signal);
    await createObjects(api, pods, signal);
  }

  #addressOf(name: string, index: number, headers: Record<string, string>): GeneratorAddress {
    const { api, namespace, tracker, isDirect } = this.#place;
    const { spec, status } = tracker.podOf(name) as Pod;
    const proxied = { url: api.server + podProxyPath(namespace, generatorName(index), generatorPort), headers };
    const direct = { url: `http://${hostPart(status.podIP as string)}:${generatorPort}` };
    return {
      name: generatorName(index),
      host: hostId(spec.nodeName as string),
      token: this.#token,
      ...(isDirect ? direct : { ...proxied, agent: api.agent }),
      lastWords: () => this.#lastWords(name),
    };
  }

  async #lastWords(name: string): Promise<string[]> {
    const giveUpAt = performance.now() + reportedWithinMs;
    while (!this.#deaths.has(name) && performance.now() < giveUpAt) await sleep(50);
    const { message, hint } = this.#deaths.get(name) ?? {};
    return [...(message?.split('\n') ?? []), ...(hint === undefined ? [] : [hint])];
  }
}
