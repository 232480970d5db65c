/** The work of `up`: start every role, print the gateway URL, wait, and tear everything down. */
import { rm, rmdir } from 'node:fs/promises';
import { runnerNames, TopoBenchError } from '@topo-bench/core';
import { planDeployment } from '@topo-bench/deployment';
import { prepareStores, requireServers, StoreServers, startRoles } from '@topo-bench/measured';
import { createRunner, type Deployment, noticesOf, requireRunner } from '@topo-bench/runners';
import { aborted, interruptible } from '../../interrupt.ts';
import { noteLeftovers } from '../../leftovers.ts';
import { note } from '../../output.ts';
import { readGraph } from '../../read-graph.ts';
import { runnerOptionsOf } from '../../runner-option.ts';
import { findRunning, forgetRunning, recordRunning, temporaryLogs } from '../../running-topology.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { findFile } from '../../shipped-files.ts';
import { announceJson, announceText } from './announce.ts';
import type { UpFlags } from './options.ts';

export async function action(name: string, flags: UpFlags): Promise<void> {
  const path = await findFile('topologies', name);
  await requireNotRunning(path, name);
  const graph = await readGraph(path, flags.set);
  const runner = await createRunner(flags.runner ?? runnerNames[0], runnerOptionsOf(flags));
  const plan = planDeployment(graph);
  const serverUrls = serverUrlsOf(flags);
  await Promise.all([requireRunner(runner, [plan]), noteLeftovers(flags.runner ?? runnerNames[0], flags)]);
  for (const message of await noticesOf(runner, [plan])) note(`note: ${message}`);
  await requireServers(graph, runner, serverUrls);
  const logsDir = flags.logs ?? (await temporaryLogs());
  await interruptible(async (signal) => {
    const servers = new StoreServers({ flags: serverUrls, logsDir });
    let deployment: Deployment | undefined;
    try {
      const stores = await prepareStores(graph, servers, runner, signal);
      const gateway = flags.port === undefined ? {} : { gatewayPort: flags.port };
      const started = await startRoles(runner, { graph, plan, seed: 1, stores }, { logsDir, ...gateway, signal });
      deployment = started.deployment;
      const files = await recordRunning(
        path,
        deployment.gatewayUrl,
        started.clientToken,
        flags.logs === undefined ? logsDir : undefined,
      );
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

function firstDeath(deployment: Deployment): Promise<never> {
  return new Promise((_, reject) => deployment.onDeath((error) => reject(error)));
}
