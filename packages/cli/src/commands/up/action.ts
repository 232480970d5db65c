/** The work of `up`: start every role, print the gateway URL, wait, and tear everything down. */
import { rm, rmdir } from 'node:fs/promises';
import { runnerNames, TopoBenchError } from '@topo-bench/core';
import type { Deployment } from '@topo-bench/runners';
import { type LiveTopology, startableTopology } from '@topo-bench/workbench/live-topology';
import { openTopology } from '@topo-bench/workbench/open-topology';
import { topologyChoices } from '../../choices.ts';
import { aborted, interruptible } from '../../interrupt.ts';
import { noteLeftovers } from '../../leftovers.ts';
import { note } from '../../output.ts';
import { runnerOptionsOf } from '../../runner-option.ts';
import { findRunning, forgetRunning, recordRunning, temporaryLogs } from '../../running-topology.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { findFile } from '../../shipped-files.ts';
import { requireUsed } from '../../used-options.ts';
import { announceJson, announceText } from './announce.ts';
import type { UpFlags } from './options.ts';
import { watchedRules } from './watch-rules.ts';

export async function action(name: string, flags: UpFlags): Promise<void> {
  const path = await findFile('topologies', name);
  await requireNotRunning(path, name);
  const choices = topologyChoices(flags.set);
  const { graph } = await openTopology(path, choices);
  requireUsed([{ graph }], { ...flags, image: undefined, baseImage: undefined, context: undefined });
  const watched = flags.watchRules ? await watchedRules(path, choices, graph) : undefined;
  const runner = flags.runner ?? runnerNames[0];
  const options = {
    runner,
    runnerOptions: runnerOptionsOf(flags),
    serverUrls: serverUrlsOf(flags),
    onNotice: (message: string) => note(`note: ${message}`),
  };
  const [{ plan, start }] = await Promise.all([startableTopology(graph, options), noteLeftovers(runner, flags)]);
  const logsDir = flags.logs ?? (await temporaryLogs());
  await interruptible(async (signal) => {
    const ended = new AbortController();
    let live: LiveTopology | undefined;
    try {
      live = await start({ logsDir, gatewayPort: flags.port, signal });
      const { deployment, clientToken } = live;
      const ownLogs = flags.logs === undefined ? logsDir : undefined;
      const files = await recordRunning(path, deployment.gatewayUrl, clientToken, ownLogs);
      const announcement = { deployment, graph, plan, files };
      if (flags.json) announceJson(announcement);
      else announceText(announcement);
      watched?.watch(deployment, AbortSignal.any([signal, ended.signal]));
      await Promise.race([aborted(signal), firstDeath(deployment)]);
    } finally {
      ended.abort();
      await live?.close();
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
