/** Roles as pods of a Kubernetes cluster, in a namespace of their own. */
import { randomBytes } from 'node:crypto';
import { ownerLabel } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import type { Runner } from '../runner.ts';
import type { RunnerOptions } from '../runner-options.ts';
import type { ApiClient } from './api-client.ts';
import { checkPlan } from './check.ts';
import { connectCluster } from './connect-cluster.ts';
import { defaultImage, loadImage } from './load-image.ts';
import { clusterCapacity } from './nodes.ts';
import { podsReach } from './server-reach.ts';
import { Start } from './start.ts';

export function kubernetesRunner(options: RunnerOptions): Runner {
  const { serviceEntry, image, context } = options;
  let connected: Promise<ApiClient> | undefined;
  const connect = (): Promise<ApiClient> => {
    connected ??= connectCluster(context);
    return connected;
  };
  let loaded: Promise<string | undefined> | undefined;
  const imageOf = async (signal: AbortSignal | undefined): Promise<string> => {
    if (image !== undefined) return image;
    // Once for all deployments. They share one signal: the interruption of their run.
    loaded ??= connect().then((api) => loadImage(api, options, signal));
    return (await loaded) ?? defaultImage(serviceEntry);
  };
  return {
    check: (plan) => checkPlan(plan, connect),
    prepare: async (_, signal) => {
      await imageOf(signal);
    },
    capacity: async () => clusterCapacity(await connect()),
    serverReach: async () => podsReach(await connect()),
    start: async (plan, configure, start) => {
      const api = await connect();
      const id = `topo-bench-${randomBytes(4).toString('hex')}`;
      const cluster = {
        api,
        namespace: id,
        image: await imageOf(start.signal),
        labels: { [labels.run]: id, [labels.owner]: await ownerLabel() },
      };
      return new Start(cluster, plan, configure, start).run();
    },
  };
}
