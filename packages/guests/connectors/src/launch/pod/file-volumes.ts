/**
 * Files of this machine in pods, read-only. A restricted namespace admits no host path in a pod, but a claim of a
 * volume that has one. The volume is an object of the cluster: the namespace owns it, so that no killed run leaves it.
 */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { labels as labelNames, TopoBenchError } from '@topo-bench/core';
import type { KubernetesObject, ObjectMeta } from '@topo-bench/deployment/kubernetes';
import { type ApiClient, clusterError, createObject, isNotFound, namespacePath } from '@topo-bench/runners/kubernetes';

/** A claim and the path of its file in the containers. */
export interface MountedFile {
  claim: string;
  mountPath: string;
}

type Labels = Readonly<Record<string, string>>;

interface Claim {
  status: { phase?: string };
}

const boundWithinMs = 30_000;
const goneWithinMs = 30_000;
const pauseMs = 50;
/** The cluster requires a size, and ignores it for host paths. */
const size = { storage: '1Mi' };

export class FileVolumes {
  readonly #namespace: string;
  /** By path here. */
  readonly #files = new Map<string, MountedFile>();
  #created = 0;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get mounted(): readonly MountedFile[] {
    return [...this.#files.values()];
  }

  /** @returns its path in the containers. A folder for each: the base name is the name of a stream. */
  add(path: string): string {
    const number = this.#files.size;
    const file = this.#files.get(path) ?? { claim: `file-${number}`, mountPath: `/data/${number}/${basename(path)}` };
    this.#files.set(path, file);
    return file.mountPath;
  }

  /**
   * Creates the volumes of files that have none yet. Resolves when pods can use them. The claim comes first and the
   * volume has its uid: a binder that has to write the uid conflicts with itself, and tries again only after 15 s.
   * @throws TopoBenchError `TB_CLUSTER_REFUSED`, `TB_CLUSTER_RIGHTS`, `TB_CLUSTER_NO_ANSWER`; the reason of the signal
   */
  async create(api: ApiClient, labels: Labels, signal = new AbortController().signal): Promise<void> {
    const added = [...this.#files].slice(this.#created);
    if (added.length === 0) return;
    this.#created = this.#files.size;
    const { metadata } = await api
      .request<{ metadata: { uid: string } }>('GET', namespacePath(this.#namespace), undefined, { signal })
      .catch((error) => {
        throw clusterError(`read the namespace ${this.#namespace}`, api.server, error);
      });
    const owner = { apiVersion: 'v1', kind: 'Namespace', name: this.#namespace, uid: metadata.uid };
    for (const [path, { claim }] of added) {
      const { uid } = await createObject(api, this.#claim(claim), signal);
      const volume = { labels: { ...labels, ...this.#ofClaim(claim) }, ownerReferences: [owner] };
      await createObject(api, this.#volume(path, { claim, uid }, volume), signal);
    }
    for (const [, { claim }] of added) await this.#whenBound(api, claim, signal);
  }

  /** After the namespace is gone: the cluster deletes the volumes with it, but a moment later. */
  async remove(api: ApiClient): Promise<void> {
    const created = this.mounted.slice(0, this.#created);
    await Promise.all(created.map(({ claim }) => removeVolume(api, this.#volumeName(claim))));
    this.#created = 0;
  }

  #volumeName(claim: string): string {
    return `${this.#namespace}-${claim}`;
  }

  /** The label that keeps a claim from other volumes. */
  #ofClaim(claim: string): Labels {
    return { [labelNames.volume]: this.#volumeName(claim) };
  }

  #volume(
    path: string,
    { claim, uid }: { claim: string; uid: string },
    metadata: Omit<ObjectMeta, 'name'>,
  ): KubernetesObject {
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: this.#volumeName(claim), ...metadata },
      spec: {
        capacity: size,
        accessModes: ['ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: '',
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: this.#namespace, name: claim, uid },
        hostPath: { path, type: 'File' },
      },
    };
  }

  #claim(name: string): KubernetesObject {
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: this.#namespace },
      spec: {
        accessModes: ['ReadOnlyMany'],
        storageClassName: '',
        selector: { matchLabels: this.#ofClaim(name) },
        resources: { requests: size },
      },
    };
  }

  async #whenBound(api: ApiClient, claim: string, signal: AbortSignal): Promise<void> {
    const path = `${namespacePath(this.#namespace)}/persistentvolumeclaims/${claim}`;
    const giveUpAt = performance.now() + boundWithinMs;
    while (performance.now() < giveUpAt) {
      const { status } = await api.request<Claim>('GET', path, undefined, { signal }).catch((error) => {
        signal.throwIfAborted();
        throw clusterError(`read the claim ${claim}`, api.server, error);
      });
      if (status.phase === 'Bound') return;
      await sleep(pauseMs, undefined, { signal });
    }
    throw new TopoBenchError('TB_CLUSTER_REFUSED', `the volume claim ${claim} was not bound within 30 s`, {
      hint: 'kubectl describe pvc shows more; the variants in containers read the file without a claim',
    });
  }
}

async function removeVolume(api: ApiClient, name: string): Promise<void> {
  const path = `/api/v1/persistentvolumes/${name}`;
  const giveUpAt = performance.now() + goneWithinMs;
  let isAsked = false;
  while (performance.now() < giveUpAt) {
    try {
      await api.request(isAsked ? 'GET' : 'DELETE', path);
      isAsked = true;
    } catch (error) {
      if (isNotFound(error)) return;
      throw clusterError(`delete the volume ${name}`, api.server, error);
    }
    await sleep(pauseMs);
  }
  throw new TopoBenchError('TB_NOT_REMOVED', `the volume ${name} still exists`, {
    hint: `kubectl delete persistentvolume ${name}`,
  });
}
