import type { RoleConfig } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { containerOptions } from '../../src/docker/container-options.ts';

it('a container of a role has no capability, a read-only root, and a limit of processes', () => {
  const config = { name: 'svc-1', kind: 'service' } as RoleConfig;
  const { HostConfig } = containerOptions(config, undefined, { image: 'i', name: 'n', network: 'net', labels: {} });
  expect(HostConfig).toMatchObject({ CapDrop: ['ALL'], ReadonlyRootfs: true, PidsLimit: 1024 });
  expect(HostConfig).not.toHaveProperty('Memory');
});
