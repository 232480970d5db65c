import { afterEach, expect, it, vi } from 'vitest';
import { findingOf, policyCheck } from '../../../src/commands/doctor/policy-check.ts';

afterEach(() => vi.unstubAllEnvs());

const counts = { probed: 1, refusedByService: 0, blockedByNetwork: 1 };

it('a network that blocked the probe enforces policies, after the time until it did', () => {
  expect(findingOf({ ...counts, openMs: 1200, probedMs: 1200 })).toEqual({
    name: 'network policies',
    status: 'ok',
    found: 'enforced within 1.2 s of ready pods',
    effect: 'the network also stops calls past enforcement points',
  });
  // Blocked from the first round on.
  expect(findingOf({ ...counts, openMs: 0, probedMs: 0 }).status).toBe('ok');
});

it('a network that allows the probe through to the end does not enforce them; network plug-ins that do are named', () => {
  expect(findingOf({ probed: 1, refusedByService: 1, blockedByNetwork: 0, probedMs: 10_300 })).toEqual({
    name: 'network policies',
    status: 'limited',
    found: 'not enforced within 10.3 s of ready pods',
    effect: 'only the tokens of services stop calls past enforcement points',
    remedy: 'a network plug-in that enforces NetworkPolicy, such as Calico or Cilium',
  });
});

it('a deployment without figures is not reported as enforced', () => {
  expect(findingOf(undefined)).toMatchObject({ status: 'limited', found: 'not enforced within 10 s of ready pods' });
});

it.each([
  [{}, 'topo-bench doctor --network-policies'],
  [{ context: 'staging' }, 'topo-bench doctor --network-policies --context staging'],
])('is optional until it is requested, with the command for the same cluster: %j', async (flags, remedy) => {
  // A probe would fail: there is no cluster.
  vi.stubEnv('KUBECONFIG', '/nonexistent/kubeconfig');
  expect(await policyCheck('kubernetes', false, flags)).toMatchObject({
    status: 'optional',
    found: 'not probed',
    remedy,
  });
});

it('a probe that could not run is a finding with its error and the way out', async () => {
  vi.stubEnv('KUBECONFIG', '/nonexistent/kubeconfig');
  expect(await policyCheck('kubernetes', true, {})).toEqual({
    name: 'network policies',
    status: 'limited',
    found: 'no kubeconfig: got none of /nonexistent/kubeconfig',
    effect: 'the pods of the probe did not run',
    remedy: 'set KUBECONFIG to the file of your cluster',
  });
});
