/**
 * Watches the rule file of a running topology. New rules go to the enforcement points; those that cannot be used are
 * reported, and the rules in force stay. A change that fails is tried once more, as the next version.
 */
import { unwatchFile, watchFile } from 'node:fs';
import { formatError, TopoBenchError, withoutCredentials } from '@topo-bench/core';
import { type DeploymentPlan, planDeployment, ruleChange, ruleChangeObstacle } from '@topo-bench/deployment';
import { readText } from '@topo-bench/experiment/read-inputs';
import type { Deployment } from '@topo-bench/runners';
import type { Graph, SourceText } from '@topo-bench/topology';
import { openTopology, type TopologyChoices } from '@topo-bench/workbench/open-topology';
import { note } from '../../output.ts';

/** Editors replace files: their state is read at this interval. */
const intervalMs = 200;

export interface WatchedRules {
  /** Until the signal aborts. */
  watch(deployment: Pick<Deployment, 'changeRules'>, signal: AbortSignal): void;
}

/** @throws TopoBenchError `TB_EVENT_UNSUPPORTED` where rules cannot change; `TB_USAGE` without a rule file */
export async function watchedRules(path: string, choices: TopologyChoices, graph: Graph): Promise<WatchedRules> {
  const plan = planDeployment(graph);
  requireChangeable(graph, graph, plan);
  const topology = await readText(path);
  let rules: SourceText | undefined;
  /** The topology as it was at the start, with the rules of now. */
  const open = async (): Promise<Graph> => {
    const opened = await openTopology(path, choices, async (file, from) => {
      if (file === path) return topology;
      rules = await readText(file, from);
      return rules;
    });
    return opened.graph;
  };
  await open();
  if (!rules) {
    throw new TopoBenchError('TB_USAGE', `--watch-rules: ${path} names no rule file`, {
      hint: 'name one in its field `rules`, or with --set rules=FILE',
    });
  }
  const { file } = rules;
  return {
    watch(deployment, signal) {
      let version = 0;
      /** Undefined where points may have different rules. */
      let sent = rules?.text;
      let turn = Promise.resolve();
      /** Undefined where the file is as before. */
      const changed = async (): Promise<Graph | undefined> => {
        const next = await open();
        if (rules?.text === sent) return undefined;
        requireChangeable(next, graph, plan);
        return next;
      };
      const send = async (next: Graph): Promise<void> => {
        version++;
        const startedMs = performance.now();
        const change = ruleChange(next, plan, version);
        await deployment.changeRules(change, signal);
        note(`rules ${version} (${change.digest}) are in force, after ${Math.round(performance.now() - startedMs)} ms`);
      };
      const failed = (what: string, error: unknown): void => {
        if (signal.aborted) return;
        const reason = error instanceof TopoBenchError ? formatError(error) : String(error);
        note(`${what}:\n${withoutCredentials(reason)}`);
      };
      const change = async (): Promise<void> => {
        let next: Graph | undefined;
        try {
          next = await changed();
        } catch (error) {
          failed('the rules in force stay', error);
        }
        if (!next) return;
        sent = rules?.text;
        const again = (): Promise<void> | undefined => (signal.aborted ? undefined : send(next));
        await send(next)
          .catch(again)
          .catch((error) => {
            sent = undefined;
            failed('points may have different rules: save the file again', error);
          });
      };
      // One change after the other.
      const enqueue = (): void => {
        turn = turn.then(change);
      };
      watchFile(file, { interval: intervalMs }, enqueue);
      // The file may have changed while roles started.
      enqueue();
      signal.addEventListener('abort', () => unwatchFile(file), { once: true });
    },
  };
}

function requireChangeable(next: Graph, first: Graph, plan: DeploymentPlan): void {
  const obstacle = ruleChangeObstacle(next, { graph: first, plan });
  if (obstacle) throw new TopoBenchError('TB_EVENT_UNSUPPORTED', obstacle.message, { hint: obstacle.hint });
}
