/** Roles as containers of one engine, Docker or Podman, on a network of their own. */
import { dirname } from 'node:path';
import { connectEngine, type Engine, type ServiceImage, serverReach, serviceImage } from '@topo-bench/containers';
import { isLoopback } from '@topo-bench/core';
import type { DeploymentPlan } from '@topo-bench/deployment';
import type { Runner } from '../runner.ts';
import type { RunnerOptions } from '../runner-options.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { checkPlan, noticesOf } from './check.ts';
import { onNetwork } from './placement.ts';
import { Start } from './start.ts';
import { requireUserImages } from './user-container.ts';

export function dockerRunner(options: RunnerOptions): Runner {
  let connected: Promise<Engine> | undefined;
  const connect = (): Promise<Engine> => {
    connected ??= connectEngine({ context: options.context });
    connected.catch(() => {
      connected = undefined;
    });
    return connected;
  };
  /** Builds or pulls images where the engine lacks them. */
  const imageOn = async (
    engine: Engine,
    { roles }: DeploymentPlan,
    signal: AbortSignal | undefined,
  ): Promise<ServiceImage> => {
    const { serviceEntry, image, baseImage, onProgress } = options;
    await unlessAborted(requireUserImages(engine, roles, { onProgress, signal }), signal);
    const found = serviceImage(engine, { builtFolder: dirname(serviceEntry), image, baseImage, onProgress, signal });
    return unlessAborted(found, signal);
  };
  return {
    check: (plan) => checkPlan(plan, connect, options.context),
    serverReach: async () => serverReach(await connect(), options.context),
    capacity: async () => {
      const { cores, memoryBytes } = (await connect()).facts;
      return { cores, memoryBytes };
    },
    prepare: async (plan, signal) => {
      await imageOn(await connect(), plan, signal);
    },
    notices: async (plan) => noticesOf(plan, await connect()),
    start: async (plan, configure, start) => {
      const engine = await connect();
      // Not part of the attempt: a pull takes as long as the network needs.
      const used = await imageOn(engine, plan, start.signal);
      const reach = await serverReach(engine, options.context);
      const published = isLoopback(engine.publishedHost) ? 'loopback' : undefined;
      const documents = configure(onNetwork(start.servers ?? [], reach, published));
      return new Start(engine, used, plan, documents, start).run();
    },
  };
}
