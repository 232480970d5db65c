/** The work of `up`: start every role, print the gateway URL, wait, and tear everything down. */
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerNames, TopoBenchError } from '@topo-bench/core';
import { planDeployment } from '@topo-bench/deployment';
import {
  prepareStores,
  problemsError,
  readRulesOf,
  readText,
  requireServers,
  StoreServers,
  startRoles,
} from '@topo-bench/experiment';
import { createRunner, type Deployment, requireRunner } from '@topo-bench/runners';
import { type Graph, loadTopology } from '@topo-bench/topology';
import { serviceEntry } from '../../built-files.ts';
import { aborted, interruptible } from '../../interrupt.ts';
import { parsedValue } from '../../option-values.ts';
import { findRunning, forgetRunning, recordRunning } from '../../running-topology.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { findFile } from '../../shipped-files.ts';
import { announceJson, announceText } from './announce.ts';
import type { UpFlags } from './options.ts';

export async function action(name: string, flags: UpFlags): Promise<void> {
  const path = await findFile('topologies', name);
  await requireNotRunning(path, name);
  const graph = await readGraph(path, flags);
  const runner = await createRunner(flags.runner ?? runnerNames[0], { serviceEntry: serviceEntry() });
  const plan = planDeployment(graph);
  const serverUrls = serverUrlsOf(flags);
  await requireRunner(runner, [plan]);
  await requireServers([graph], serverUrls);
  const logsDir = flags.logs ?? (await mkdtemp(join(tmpdir(), 'topo-bench-up-')));
  await interruptible(async (signal) => {
    const servers = new StoreServers(serverUrls);
    let deployment: Deployment | undefined;
    try {
      const stores = await prepareStores(graph, servers, signal);
      const gateway = flags.port === undefined ? {} : { gatewayPort: flags.port };
      const started = await startRoles(runner, { graph, plan, seed: 1, stores }, { logsDir, ...gateway, signal });
      deployment = started.deployment;
      const files = await recordRunning(path, deployment.gatewayUrl, started.clientToken);
      const announcement = { deployment, graph, plan, files };
      if (flags.json) announceJson(announcement);
      else announceText(announcement);
      await Promise.race([aborted(signal), firstDeath(deployment)]);
    } finally {
      await deployment?.stop();
      await servers.close();
      await forgetRunning(path);
      // Without logs, the folder of a failed start is of no use; with logs, rmdir leaves it.
      if (flags.logs === undefined) await rmdir(logsDir).catch(() => {});
    }
  }, 'stopping');
  // Kept after a failure: the error refers to them.
  if (flags.logs === undefined) await rm(logsDir, { recursive: true, force: true });
}

async function requireNotRunning(path: string, name: string): Promise<void> {
  const running = await findRunning(path);
  if (!running) return;
  const where = `${running.gatewayUrl} (process ${running.pid})`;
  throw new TopoBenchError('TB_UP_ALREADY_RUNNING', `${path} is already running: ${where}`, {
    hint: `stop it first: topo-bench down ${name}`,
  });
}

async function readGraph(path: string, { set = [] }: UpFlags): Promise<Graph> {
  const topology = await readText(path);
  const factors = Object.fromEntries(set.map(([field, value]) => [field, parsedValue(value) as string]));
  const { graph, problems } = loadTopology({
    topology,
    rules: await readRulesOf(topology, path),
    overrides: { factors },
  });
  if (!graph) throw problemsError(topology.file, problems);
  return graph;
}

function firstDeath(deployment: Deployment): Promise<never> {
  return new Promise((_, reject) => deployment.onDeath((error) => reject(error)));
}
