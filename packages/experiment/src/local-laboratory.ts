/** The laboratory that measures real deployments: roles started by a runner, load from generator processes. */
import { randomBytes } from 'node:crypto';
import type { TopoBenchError } from '@topo-bench/core';
import type { Deployment, Runner } from '@topo-bench/runners';
import { roleConfigs } from '@topo-bench/services/role-configs';
import { type ExperimentCell, inFlightCap } from './build-cell.ts';
import type { Bench, Laboratory } from './laboratory.ts';
import { measureRepetition } from './measure-repetition.ts';
import { awaitIdle, warmUpDeployment } from './warm-up-deployment.ts';

export interface LocalLaboratoryOptions {
  runner: Runner;
  /** Where the logs of roles go. */
  logsDir: string;
  /** Built script of generator processes, when it is not in its usual place. */
  workerPath?: string;
}

export function localLaboratory({ runner, logsDir, workerPath }: LocalLaboratoryOptions): Laboratory {
  return {
    async deploy(cell, signal) {
      const { graph, plan, settings } = cell;
      const configs = roleConfigs({
        graph,
        plan,
        seed: settings.seed,
        secret: randomBytes(32).toString('base64url'),
        traceShare: settings.traceHops,
        inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
      });
      return new DeployedBench(await runner.start(configs, { logsDir, signal }), workerPath);
    },
  };
}

class DeployedBench implements Bench {
  readonly #deployment: Deployment;
  readonly #workerPath: string | undefined;
  readonly #deaths: TopoBenchError[] = [];
  #warm: boolean | undefined;
  #idle = true;

  constructor(deployment: Deployment, workerPath: string | undefined) {
    this.#deployment = deployment;
    this.#workerPath = workerPath;
    deployment.onDeath((error) => this.#deaths.push(error));
  }

  get reusable(): boolean {
    return this.#idle && this.#deaths.length === 0;
  }

  async measure(cell: ExperimentCell, repetition: number, context: Parameters<Bench['measure']>[2]) {
    const deployment = this.#deployment;
    if (this.#warm === undefined) {
      context.onPhase('warm-up');
      this.#warm = await warmUpDeployment(deployment, cell, context);
    }
    const measured = await measureRepetition({
      deployment,
      deaths: this.#deaths,
      cell,
      repetition,
      warm: this.#warm,
      workerPath: this.#workerPath,
      context,
    });
    // What the drain cut off would queue before the next cell's requests.
    if (measured.entry.unfinished > 0 && this.#deaths.length === 0) {
      context.onPhase('drain', 'what is left of the backlog');
      this.#idle = await awaitIdle(deployment, cell.settings.drain, context.signal);
    }
    return measured;
  }

  close(): Promise<void> {
    return this.#deployment.stop();
  }
}
