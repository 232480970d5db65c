/** One program as a pod. Its files are in a Secret of its own. */
import { TopoBenchError } from '@topo-bench/core';
import {
  type ApiClient,
  clusterError,
  createObjects,
  isNotFound,
  namespacePath,
  type Pod,
  problemOf,
} from '@topo-bench/runners/kubernetes';
import type { LaunchedProgram, LaunchMarks, ProgramEnd, ProgramLaunch, ProgramUsage } from '../launcher.ts';
import { MeteredOutput } from '../metered-output.ts';
import { type AttachedOutput, attachOutput } from './attached-output.ts';
import type { MountedFile } from './file-volumes.ts';
import { programPod, programSecret } from './pod-manifest.ts';

export interface PodPlace {
  api: ApiClient;
  namespace: string;
  name: string;
  image: string;
  mounted: readonly MountedFile[];
}

const startsWithinMs = 60_000;
const goneWithinMs = 30_000;

export class LaunchedPod implements LaunchedProgram {
  readonly marks: LaunchMarks;
  readonly ended: Promise<ProgramEnd>;
  /** Resolves when the pod is gone. */
  readonly removed: Promise<void>;
  readonly #place: PodPlace;
  readonly #launch: ProgramLaunch;
  readonly #exited = new Deferred<Pick<ProgramEnd, 'exitCode' | 'description'>>();
  readonly #running = new Deferred<Pod>();
  readonly #gone = new Deferred<void>();
  readonly #read = new Deferred<MeteredOutput | undefined>();
  #attached: AttachedOutput | undefined;
  #output: MeteredOutput | undefined;
  #address = '';
  #starting: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(place: PodPlace, launch: ProgramLaunch, requestedMs: number) {
    this.#place = place;
    this.#launch = launch;
    this.marks = { requestedMs };
    this.removed = this.#gone.promise;
    this.#running.promise.catch(() => undefined);
    this.ended = this.#end();
  }

  get output(): MeteredOutput {
    if (!this.#output) throw new Error(`the pod ${this.#place.name} has not started`);
    return this.#output;
  }

  get hosts(): { fromHere: string; fromPrograms: string } {
    return { fromHere: this.#address, fromPrograms: this.#address };
  }

  /** @throws TopoBenchError `TB_CLUSTER_*`, `TB_ROLE_NOT_READY`; the reason of the signal */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  begin(): void {
    this.#attached?.sendLine();
  }

  /** The cluster reports no figures of a pod without further parts: the report of the program has them. */
  async usage(): Promise<ProgramUsage | undefined> {
    return undefined;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#remove();
    return this.#stopped;
  }

  /** Called for each change of the pod. */
  changed(pod: Pod): void {
    const [container] = pod.status.containerStatuses ?? [];
    const { exitCode } = container?.state?.terminated ?? {};
    if (exitCode !== undefined) {
      this.marks.endedMs ??= performance.now();
      const reason = container?.state?.terminated?.reason;
      const description = reason === 'OOMKilled' ? 'ran out of memory (OOMKilled)' : `ended with exit code ${exitCode}`;
      this.#exited.resolve({ exitCode, description });
    }
    const isRunning = container?.state !== undefined && 'running' in container.state;
    if (isRunning && pod.status.podIP !== undefined) this.#running.resolve(pod);
    const problem = problemOf(pod);
    if (problem?.isFinal) this.fail(this.#failure(problem.text));
  }

  /** The pod does not exist any more. */
  gone(): void {
    this.fail(new Error('was deleted'));
    this.#gone.resolve();
  }

  fail(error: unknown): void {
    this.#running.reject(error);
    this.#exited.resolve({ exitCode: null, description: (error as Error).message });
  }

  async #start(): Promise<void> {
    const { api, namespace, name, image, mounted } = this.#place;
    const signal = this.#launch.signal ?? new AbortController().signal;
    await createObjects(api, [programSecret({ namespace, name }, this.#launch)], signal);
    await createObjects(api, [programPod({ namespace, name }, image, this.#launch, mounted)], signal);
    this.marks.createdMs = performance.now();
    const pod = await this.#whenRunning(signal);
    this.marks.startedMs = performance.now();
    this.#address = pod.status.podIP as string;
    const attached = await attachOutput(api, { namespace, name }).catch((error) => {
      throw clusterError(`attach to the pod ${name}`, api.server, error);
    });
    this.#attached = attached;
    this.#output = new MeteredOutput(attached.output as AsyncIterable<Uint8Array>, this.marks, attached.sendLine);
    this.#read.resolve(this.#output);
    if (!this.#launch.held) attached.sendLine();
  }

  async #whenRunning(signal: AbortSignal): Promise<Pod> {
    const late = (): void => this.#running.reject(this.#failure(`was not running within ${startsWithinMs / 1e3} s`));
    const timer = setTimeout(late, startsWithinMs);
    const abort = (): void => this.#running.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.#running.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  #failure(text: string): TopoBenchError {
    const hint = /image/i.test(text)
      ? 'load the image into the cluster (kind load image-archive, ctr images import), or name one with --image'
      : 'kubectl describe shows more; a cluster without room needs more nodes';
    return new TopoBenchError('TB_ROLE_NOT_READY', `the pod ${this.#place.name}: ${text}`, { hint });
  }

  async #end(): Promise<ProgramEnd> {
    const output = await this.#read.promise;
    const exit = await this.#exited.promise;
    await output?.consumed;
    const summary = output?.summary() ?? { outputBytes: 0 };
    return { ...exit, errorLines: this.#attached?.errorLines() ?? [], ...summary };
  }

  async #remove(): Promise<void> {
    const { api, namespace, name } = this.#place;
    // A request that has begun is finished: a pod that is created now would be left behind.
    await this.#starting?.catch(() => undefined);
    this.#attached?.close();
    this.#output?.abandon();
    this.#read.resolve(undefined);
    const path = namespacePath(namespace);
    let isGone = this.marks.createdMs === undefined;
    for (const object of [`pods/${name}?gracePeriodSeconds=1`, `secrets/${name}`]) {
      await api.request('DELETE', `${path}/${object}`).catch((error: unknown) => {
        if (!isNotFound(error)) throw clusterError(`delete ${name}`, api.server, error);
        isGone ||= object.startsWith('pods');
      });
    }
    if (!isGone)
      await Promise.race([this.#gone.promise, new Promise((resolve) => setTimeout(resolve, goneWithinMs).unref())]);
    this.fail(new Error('was stopped'));
    this.#gone.resolve();
  }
}

/** A promise that others settle. */
class Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve!: (value: Value) => void;
  reject!: (error: unknown) => void;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
