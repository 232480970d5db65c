import type { RoleConfig } from '@topo-bench/core';
import { expect, it } from 'vitest';
import type { ControlClient } from '../../src/control-client.ts';
import type { HttpRole } from '../../src/http-deployment.ts';
import { KeptRoles } from '../../src/kubernetes/kept-roles.ts';
import { readUsage, sumCpuUs } from '../../src/kubernetes/role-figures.ts';

/** Each role has used 5 ms. */
const client = {
  ask: async () => ({ process: { cpuUs: 5000, rssBytes: 1 } }),
} as unknown as ControlClient;
const roles = ['gateway', 'svc-1'].map((name) => ({ role: { name } as HttpRole, config: { name } as RoleConfig }));

it('the CPU time of roles is unknown once one has ended: the sum never becomes smaller', async () => {
  const hasEnded = async (): Promise<boolean> => true;
  expect(sumCpuUs(await readUsage(client, roles, { ended: new Set(), hasEnded }))).toBe(10_000);
  const usages = await readUsage(client, roles, { ended: new Set(['svc-1']), hasEnded });
  expect(usages.map(({ process }) => process?.cpuUs)).toEqual([5000, undefined]);
  expect(() => sumCpuUs(usages)).toThrow('svc-1');
});

it('the use of a process that was killed by plan is kept, and the one after it adds to it', async () => {
  const asked: string[] = [];
  const [{ role }] = roles as [(typeof roles)[number]];
  const keeper = {
    ask: async (_: unknown, method: string, path: string, _signal: unknown, body: unknown) => {
      asked.push(`${method} ${path} ${JSON.stringify(body)}`);
      return path.endsWith('/kill') ? { process: { cpuUs: 7000, rssBytes: 1 } } : {};
    },
  } as unknown as ControlClient;
  const kept = new KeptRoles(keeper, [role], () => 'http://keeper');
  const cpuUs = async () =>
    (await readUsage(client, roles, { ended: new Set(), hasEnded: async () => false, kept })).map(
      ({ process }) => process?.cpuUs,
    );
  const { signal } = new AbortController();
  expect(await cpuUs()).toEqual([5000, 5000]);
  await kept.apply({ kind: 'kill', role: 'gateway' }, signal);
  expect(await cpuUs()).toEqual([7000, 5000]);
  kept.keepRules('gateway', { rulesVersion: 2 });
  await kept.apply({ kind: 'restart', role: 'gateway' }, signal);
  expect(await cpuUs()).toEqual([12_000, 5000]);
  await kept.apply({ kind: 'kill', role: 'gateway' }, signal);
  expect(await cpuUs()).toEqual([14_000, 5000]);
  expect(asked).toEqual([
    'POST /control/process/kill {}',
    'POST /control/process/restart {"rules":{"rulesVersion":2}}',
    'POST /control/process/kill {}',
  ]);
});
