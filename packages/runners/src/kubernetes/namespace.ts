/** The namespace of a deployment: created empty, filled with its objects, and deleted with all of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { KubernetesObject } from '@topo-bench/deployment/kubernetes';
import { inParallel } from '../in-parallel.ts';
import type { ApiClient } from './api-client.ts';
import { ApiError, clusterError } from './api-error.ts';
import { collectionPath, namespacePath } from './resources.ts';

/** Requests at once: the API server limits the rate of each user. */
const createdAtOnce = 12;
const goneWithinMs = 120_000;
const pauseMs = 250;

interface NamespaceState {
  status: { conditions?: { type: string; status: string; message?: string }[] };
}

/** @throws TopoBenchError `TB_CLUSTER_REFUSED`, `TB_CLUSTER_RIGHTS`, `TB_CLUSTER_NO_ANSWER`; the signal's reason */
export async function createObjects(
  api: ApiClient,
  objects: readonly KubernetesObject[],
  signal: AbortSignal,
): Promise<void> {
  await inParallel(objects, createdAtOnce, (object) => createObject(api, object, signal));
}

/** @returns the object's identity in the cluster. @throws as `createObjects` */
export async function createObject(
  api: ApiClient,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<{ uid: string }> {
  signal.throwIfAborted();
  const { kind, metadata } = object;
  const path = collectionPath(object);
  const created = await api.request<{ metadata: { uid: string } }>('POST', path, object, { signal }).catch((error) => {
    signal.throwIfAborted();
    throw clusterError(`create the ${kind} ${metadata.name}`, api.server, error);
  });
  return created.metadata;
}

/**
 * Deletes a namespace and waits until it is gone.
 * @throws TopoBenchError `TB_NOT_REMOVED` when it still exists after two minutes, with what remains by the server's
 *   account
 */
export async function deleteNamespace(api: ApiClient, name: string): Promise<void> {
  const giveUpAt = performance.now() + goneWithinMs;
  const path = namespacePath(name);
  let isAsked = false;
  let last: unknown;
  while (performance.now() < giveUpAt) {
    try {
      if (isAsked) last = await api.request<NamespaceState>('GET', path);
      else await api.request('DELETE', path);
      isAsked = true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return;
      // 409: it is being deleted already.
      if (error instanceof ApiError && error.status === 409) isAsked = true;
      else if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
        throw clusterError(`delete the namespace ${name}`, api.server, error);
      }
      last = error;
    }
    await sleep(pauseMs);
  }
  const message = `the namespace ${name} still exists after ${goneWithinMs / 1000} s: ${remaining(last)}`;
  throw new TopoBenchError('TB_NOT_REMOVED', message, { hint: `kubectl delete namespace ${name}` });
}

function remaining(last: unknown): string {
  if (last instanceof Error) return last.message;
  const conditions = (last as NamespaceState | undefined)?.status.conditions ?? [];
  const texts = conditions.flatMap(({ status, message }) => (status === 'True' && message ? [message] : []));
  return texts.join('; ') || 'no reason given';
}
