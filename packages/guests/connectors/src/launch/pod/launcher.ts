/** Programs as pods of the service image, in a namespace that all programs of the launcher share. */
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { ownerLabel } from '@topo-bench/containers';
import { labels, seenByRoles, TopoBenchError } from '@topo-bench/core';
import { namespaceManifest } from '@topo-bench/deployment/kubernetes';
import {
  type ApiClient,
  connectCluster,
  createObjects,
  defaultImage,
  deleteNamespace,
  loadImage,
  namespacePath,
  ObjectWatch,
  type Pod,
  podsReach,
} from '@topo-bench/runners/kubernetes';
import type { LaunchedProgram, Launcher, LauncherOptions, ProgramLaunch } from '../launcher.ts';
import { FileVolumes } from './file-volumes.ts';
import { LaunchedPod } from './launched-pod.ts';
import { fileRights, requireRights } from './require-rights.ts';

interface Shared {
  api: ApiClient;
  labels: Readonly<Record<string, string>>;
  watch: ObjectWatch<Pod>;
}

export function podLauncher({ builtFolder, image, baseImage, context, onProgress }: LauncherOptions): Launcher {
  const namespace = `topo-bench-${randomBytes(4).toString('hex')}`;
  const serviceEntry = join(builtFolder, 'service.cjs');
  const used = image ?? defaultImage(serviceEntry);
  const pods = new Map<string, LaunchedPod>();
  const volumes = new FileVolumes(namespace);
  let connected: Promise<ApiClient> | undefined;
  let sharing: Promise<Shared> | undefined;
  /** What `close` removes, also when the rest of the preparation failed. */
  let created: { api: ApiClient; watch?: Shared['watch'] } | undefined;
  let started = 0;

  const connect = (): Promise<ApiClient> => {
    connected ??= connectCluster(context);
    return connected;
  };

  const shared = (signal?: AbortSignal): Promise<Shared> => {
    sharing ??= share(signal);
    return sharing;
  };

  async function share(signal = new AbortController().signal): Promise<Shared> {
    const api = await connect();
    const owned = { [labels.run]: namespace, [labels.owner]: await ownerLabel() };
    const options = { namespace, labels: owned, image: used, nativeSidecars: false, nodes: 'spread' } as const;
    await createObjects(api, [namespaceManifest(options)], signal);
    created = { api };
    const watch = new ObjectWatch<Pod>(api, `${namespacePath(namespace)}/pods`, {
      changed: (pod) => pods.get(pod.metadata.name)?.changed(pod),
      gone: (pod) => pods.get(pod.metadata.name)?.gone(),
      failed: (error) => {
        for (const pod of pods.values()) pod.fail(error);
      },
    });
    created = { api, watch };
    await volumes.create(api, owned, signal);
    return { api, watch, labels: owned };
  }

  return {
    place: 'pod',
    async check(signal) {
      const api = await connect();
      await requireRights(api);
      if (image !== undefined) return image;
      const options = {
        serviceEntry,
        ...(baseImage !== undefined && { baseImage }),
        ...(onProgress && { onProgress }),
      };
      const loaded = await loadImage(api, options, signal);
      return loaded ?? used;
    },
    serverReach: async () => podsReach(await connect()),
    async filePath(path) {
      const api = await connect();
      if ((await podsReach(api)).listen === undefined) {
        throw new TopoBenchError('TB_STORE_UNREACHABLE', 'pods of this cluster do not read files of this machine', {
          hint: 'use a cluster whose only node is this machine, or the variants in containers',
        });
      }
      await requireRights(api, fileRights);
      const target = volumes.add(resolve(path));
      if (sharing) await volumes.create(api, (await sharing).labels);
      return target;
    },
    async prepare(signal) {
      await shared(signal);
    },
    storeUrl: async (url) => seenByRoles(url, await podsReach(await connect())),
    launch,
    async close() {
      await Promise.all([...pods.values()].map((pod) => pod.stop()));
      await sharing?.catch(() => undefined);
      sharing = undefined;
      if (!created) return;
      const { api, watch } = created;
      created = undefined;
      await watch?.stop();
      await deleteNamespace(api, namespace);
      await volumes.remove(api);
    },
  };

  async function launch(program: ProgramLaunch): Promise<LaunchedProgram> {
    const requestedMs = performance.now();
    const { api } = await shared(program.signal);
    const name = `${program.program}-${started++}`;
    const place = { api, namespace, name, image: used, mounted: volumes.mounted };
    const pod = new LaunchedPod(place, program, requestedMs);
    pods.set(name, pod);
    const stop = (): void => void pod.stop().catch(() => undefined);
    program.signal?.addEventListener('abort', stop, { once: true });
    void pod.removed.then(() => {
      pods.delete(name);
      program.signal?.removeEventListener('abort', stop);
    });
    try {
      await pod.start();
      return pod;
    } catch (error) {
      await pod.stop();
      throw error;
    }
  }
}
