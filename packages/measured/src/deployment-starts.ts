/**
 * The cost of each deployment of a run: the time until it was ready and its memory, measured in the same way for every
 * runner and kind of study. Also what its start found out about the network.
 */
import { type RoleMemory, TopoBenchError } from '@topo-bench/core';
import type { Deployment, Runner } from '@topo-bench/runners';
import type { DeploymentFigures } from '@topo-bench/trial';

interface Started {
  deployment: Pick<Deployment, 'memory' | 'networkPolicies'>;
  readyMs: number;
}

export class DeploymentStarts {
  /** Latest deployment by name. */
  readonly #started = new Map<string, Started>();

  /**
   * The runner, with its starts recorded under the name of a deployment. Preparations that deployments share, such as
   * building an image, happen before the clock starts.
   */
  recording(runner: Runner, name: string): Pick<Runner, 'start'> {
    return {
      start: async (plan, configure, options) => {
        this.#started.delete(name);
        await runner.prepare?.(plan, options.signal);
        const startMs = performance.now();
        const deployment = await runner.start(plan, configure, options);
        this.#started.set(name, { deployment, readyMs: performance.now() - startMs });
        return deployment;
      },
    };
  }

  /** Figures of the latest deployment with that name. Its memory is read now. Undefined without a deployment. */
  async figuresOf(name: string): Promise<DeploymentFigures | undefined> {
    const started = this.#started.get(name);
    if (!started) return undefined;
    const { deployment, readyMs } = started;
    const memoryBytes = totalBytes(await memoryOf(deployment));
    const { networkPolicies } = deployment;
    return { readyMs, ...(memoryBytes !== undefined && { memoryBytes }), ...(networkPolicies && { networkPolicies }) };
  }
}

/** Empty if a role does not answer: its death is reported elsewhere. */
async function memoryOf(deployment: Started['deployment']): Promise<RoleMemory[]> {
  try {
    return await deployment.memory();
  } catch (error) {
    if (error instanceof TopoBenchError) return [];
    throw error;
  }
}

function totalBytes(roles: readonly RoleMemory[]): number | undefined {
  const known = roles.flatMap(({ pssBytes }) => pssBytes ?? []);
  if (known.length === 0 || known.length < roles.length) return undefined;
  return known.reduce((sum, bytes) => sum + bytes, 0);
}
