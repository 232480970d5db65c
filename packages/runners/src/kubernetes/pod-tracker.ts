/** The pods of a namespace while they start and run: which are ready, and what is wrong with the others. */
import { labels, TopoBenchError } from '@topo-bench/core';
import type { ApiClient } from './api-client.ts';
import { clusterError } from './api-error.ts';
import { lastLines } from './logs.ts';
import { ObjectWatch } from './object-watch.ts';
import { type ClusterEvent, isReady, type Pod } from './pod.ts';
import { type PodProblem, problemOf } from './pod-problem.ts';
import { namespacePath } from './resources.ts';

/** Called for a pod that ends or can never run. @param name of its Deployment */
export type OnProblem = (name: string, error: TopoBenchError) => void;

/** Events of the creation of pods that are final; others pass, such as a service account that does not exist yet. */
const refusedPod = /exceeded quota|violates PodSecurity|forbidden|maximum .* usage/;
const passing = /service ?account/i;
const maxNamed = 5;

export class PodTracker {
  readonly #api: ApiClient;
  readonly #namespace: string;
  readonly #onProblem: OnProblem;
  readonly #pods: ObjectWatch<Pod>;
  readonly #events: ObjectWatch<ClusterEvent>;
  readonly #reported = new Set<string>();
  /** Last warning by name of the object. */
  readonly #warnings = new Map<string, string>();
  readonly #waiting = new Set<() => void>();
  #isStopped = false;

  constructor(api: ApiClient, namespace: string, onProblem: OnProblem) {
    this.#api = api;
    this.#namespace = namespace;
    this.#onProblem = onProblem;
    const path = namespacePath(namespace);
    const failed = (error: unknown): void => {
      if (!this.#isStopped) onProblem('', clusterError(`watch the pods of ${namespace}`, api.server, error));
    };
    this.#pods = new ObjectWatch<Pod>(api, `${path}/pods`, {
      changed: (pod) => this.#changed(pod),
      gone: (pod) => void this.#report(pod, { text: 'was deleted', isFinal: true }),
      failed,
    });
    this.#events = new ObjectWatch<ClusterEvent>(api, `${path}/events`, {
      changed: (event) => this.#warned(event),
      gone: () => undefined,
      failed,
    });
  }

  /** The running pod of a Deployment. */
  podOf(name: string): Pod | undefined {
    return this.#pods.items.find((pod) => nameOf(pod) === name && pod.metadata.deletionTimestamp === undefined);
  }

  /** Resolves when the pods of all Deployments are ready. @throws the reason of the signal */
  async whenReady(names: readonly string[], signal: AbortSignal): Promise<void> {
    const missing = new Set(names);
    while (true) {
      for (const name of missing) if (isReadyPod(this.podOf(name))) missing.delete(name);
      if (missing.size === 0) return;
      await this.#change(signal);
    }
  }

  /** The names of Deployments without a ready pod, with what is known of each. */
  async notReady(names: readonly string[], timeoutMs: number): Promise<TopoBenchError> {
    const late = names.filter((name) => !isReadyPod(this.podOf(name)));
    const named = await Promise.all(late.slice(0, maxNamed).map((name) => this.#stateOf(name)));
    const more = late.length > maxNamed ? `\nand ${late.length - maxNamed} more` : '';
    const message = `${late.length} of ${names.length} pods were not ready within ${timeoutMs / 1000} s:`;
    return new TopoBenchError('TB_ROLE_NOT_READY', `${message}${named.join('')}${more}`, {
      hint: 'a cluster without room needs fewer services or more nodes; a slow one needs a longer time-out',
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#pods.stop(), this.#events.stop()]);
  }

  #changed(pod: Pod): void {
    const problem = problemOf(pod);
    if (problem?.isFinal) void this.#report(pod, problem);
    for (const wake of this.#waiting) wake();
  }

  #warned({ type, reason, message = '', involvedObject: { kind, name = '' } }: ClusterEvent): void {
    if (type !== 'Warning') return;
    this.#warnings.set(name, `${reason}: ${message}`);
    // A pod that was refused does not exist: its ReplicaSet has the event.
    if (kind !== 'ReplicaSet' || reason !== 'FailedCreate' || passing.test(message) || !refusedPod.test(message))
      return;
    const deployment = name.replace(/-[^-]+$/, '');
    this.#onProblem(
      deployment,
      new TopoBenchError('TB_CLUSTER_REFUSED', `the cluster refused the pod of ${deployment}: ${message}`, {
        hint: 'a quota needs fewer services, or a larger quota',
      }),
    );
  }

  async #report(pod: Pod, { text, container }: PodProblem): Promise<void> {
    const name = nameOf(pod);
    if (this.#isStopped || this.#reported.has(pod.metadata.uid)) return;
    this.#reported.add(pod.metadata.uid);
    const lines = await this.#linesOf(pod, container);
    if (this.#isStopped) return;
    const isImage = /image/i.test(text);
    const hint = isImage
      ? 'load the image into the cluster (kind load image-archive, k3d image import, ctr images import), or name one with --image'
      : `the pod was ${pod.metadata.name}${pod.spec.nodeName ? ` on ${pod.spec.nodeName}` : ''}`;
    const code = isImage ? 'TB_ROLE_NOT_READY' : 'TB_ROLE_DIED';
    this.#onProblem(name, new TopoBenchError(code, `${container ?? name}: ${text}${quoted(lines)}`, { hint }));
  }

  async #linesOf(pod: Pod, container: string | undefined): Promise<string[]> {
    const { metadata } = pod;
    const of = container ?? nameOf(pod);
    const lines = await lastLines(this.#api, this.#namespace, metadata.name, of);
    const warning = this.#warnings.get(metadata.name);
    return warning === undefined ? lines : [warning, ...lines];
  }

  async #stateOf(name: string): Promise<string> {
    const pod = this.podOf(name);
    if (!pod) {
      const [, warning = 'no pod was created'] =
        [...this.#warnings].find(([object]) => object.replace(/-[^-]+$/, '') === name || object === name) ?? [];
      return `\n${name}: ${warning}`;
    }
    const { text = pod.status.phase ?? 'no state', container } = problemOf(pod) ?? {};
    return `\n${name}: ${text}${quoted(await this.#linesOf(pod, container))}`;
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', abort);
      };
      const wake = (): void => {
        done();
        resolve();
      };
      const abort = (): void => {
        done();
        reject(signal.reason);
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }
}

function isReadyPod(pod: Pod | undefined): boolean {
  return pod !== undefined && isReady(pod);
}

/** Name of the Deployment of a pod. */
function nameOf({ metadata }: Pod): string {
  return metadata.labels?.[labels.role] ?? metadata.name;
}

function quoted(lines: readonly string[]): string {
  return lines.map((line) => `\n  | ${line}`).join('');
}
