/** A topology as running roles with the servers of their stores, until it is closed. */
import type { RunnerName } from '@topo-bench/core';
import { type DeploymentPlan, planDeployment } from '@topo-bench/deployment';
import { prepareStores, requireServers, StoreServers, startRoles } from '@topo-bench/measured';
import { createRunner, type Deployment, noticesOf, type RunnerOptions, requireRunner } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { Graph } from '@topo-bench/topology';

export interface LiveOptions {
  runner: RunnerName;
  runnerOptions: RunnerOptions;
  serverUrls: ServerUrls;
  /** Called for each part of the topology that the runner does not apply, with a sentence. */
  onNotice(message: string): void;
}

/** What can be started here. */
export interface StartableTopology {
  plan: DeploymentPlan;
  /** Rejects with the cause of a failure, or the reason of the signal; nothing is left then. */
  start(options: StartOptions): Promise<LiveTopology>;
}

export interface StartOptions {
  logsDir: string;
  /** Default: a free one. */
  gatewayPort?: number | undefined;
  signal: AbortSignal;
}

export interface LiveTopology {
  deployment: Deployment;
  clientToken: string;
  /** Stops all roles and servers. */
  close(): Promise<void>;
}

/** @throws TopoBenchError for what this machine lacks; nothing is started */
export async function startableTopology(
  graph: Graph,
  { runner: name, runnerOptions, serverUrls, onNotice }: LiveOptions,
): Promise<StartableTopology> {
  const runner = await createRunner(name, runnerOptions);
  const plan = planDeployment(graph);
  await requireRunner(runner, [plan]);
  for (const message of await noticesOf(runner, [plan])) onNotice(message);
  await requireServers(graph, runner, serverUrls);
  return {
    plan,
    async start({ logsDir, gatewayPort, signal }) {
      const servers = new StoreServers({ flags: serverUrls, logsDir });
      try {
        const stores = await prepareStores(graph, servers, runner, signal);
        const gateway = gatewayPort === undefined ? {} : { gatewayPort };
        const started = await startRoles(runner, { graph, plan, seed: 1, stores }, { logsDir, ...gateway, signal });
        const close = async (): Promise<void> => {
          await started.deployment.stop();
          await servers.close();
        };
        return { ...started, close };
      } catch (error) {
        await servers.close();
        throw error;
      }
    },
  };
}
