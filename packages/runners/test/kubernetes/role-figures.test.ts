import type { RoleConfig } from '@topo-bench/core';
import { expect, it } from 'vitest';
import type { ControlClient } from '../../src/control-client.ts';
import type { HttpRole } from '../../src/http-deployment.ts';
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
