/**
 * Whether the network of a cluster enforces network policies, found by a small deployment: one service with a sidecar,
 * probed past it. It takes some seconds and removes its namespace, so it runs only on request.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatUs, type RunnerName, referenceArchitecture, TopoBenchError } from '@topo-bench/core';
import type { NetworkPolicyFigures } from '@topo-bench/core/schema/result';
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import { interruptible } from '../../interrupt.ts';
import { type EngineFlags, runnerOptionsOf } from '../../runner-option.ts';

const name = 'network policies';
/** Some plug-ins need seconds for the policies of new pods. */
const policiesWithinMs = 10_000;
const readyTimeoutMs = 45_000;
const request = 'topo-bench doctor --network-policies';

/** @param runner creates network policies, and can deploy roles here */
export async function policyCheck(runner: RunnerName, isRequested: boolean, flags: EngineFlags): Promise<MachineCheck> {
  const remedy = flags.context === undefined ? request : `${request} --context ${flags.context}`;
  if (!isRequested) {
    return { name, status: 'optional', found: 'not probed', effect: 'services refuse calls without a token', remedy };
  }
  try {
    return findingOf(await probe(runner, flags));
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code === 'TB_INTERRUPTED') throw error;
    const { message: found, hint } = error;
    const effect = 'the pods of the probe did not run';
    return { name, status: 'limited', found, effect, ...(hint !== undefined && { remedy: hint }) };
  }
}

async function probe(runnerName: RunnerName, flags: EngineFlags): Promise<NetworkPolicyFigures | undefined> {
  const [{ createRunner }, { deploymentDocuments, planDeployment }, { graphOf }] = await Promise.all([
    import('@topo-bench/runners'),
    import('@topo-bench/deployment'),
    import('@topo-bench/topology'),
  ]);
  const graph = graphOf(
    { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'network-policies', services: [{ generate: 1 }] },
    undefined,
    { factors: { architecture: referenceArchitecture } },
  );
  const plan = planDeployment(graph);
  const runner = await createRunner(runnerName, runnerOptionsOf(flags));
  const logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-doctor-'));
  try {
    return await interruptible(async (signal) => {
      const secret = randomBytes(16).toString('hex');
      const deployment = await runner.start(
        plan,
        (place) => deploymentDocuments({ graph, plan, seed: 1, secret, place }),
        { logsDir, readyTimeoutMs, policiesWithinMs, signal },
      );
      await deployment.stop();
      return deployment.networkPolicies;
    }, 'removing the probe');
  } finally {
    await rm(logsDir, { recursive: true, force: true });
  }
}

/** @param figures of the probe; undefined stands for a network that was never closed */
export function findingOf(figures: NetworkPolicyFigures | undefined): MachineCheck {
  if (figures?.openMs !== undefined) {
    const found = `enforced within ${formatUs(figures.openMs * 1e3)} of ready pods`;
    return { name, status: 'ok', found, effect: 'the network also stops calls past enforcement points' };
  }
  const { probedMs = policiesWithinMs } = figures ?? {};
  const found = `not enforced within ${formatUs(probedMs * 1e3)} of ready pods`;
  const effect = 'only the tokens of services stop calls past enforcement points';
  const remedy = 'a network plug-in that enforces NetworkPolicy, such as Calico or Cilium';
  return { name, status: 'limited', found, effect, remedy };
}
