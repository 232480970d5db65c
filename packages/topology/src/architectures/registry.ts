/** The enforcement architectures by name. */
import type { Architecture } from '@topo-bench/core';
import type { EnforcementArchitecture } from './architecture.ts';
import { centralEntity } from './central-entity.ts';
import { dynamicRouter } from './dynamic-router.ts';
import { none } from './none.ts';
import { sidecar } from './sidecar.ts';

export const enforcementArchitectures: Readonly<Record<Architecture, EnforcementArchitecture>> = {
  none,
  'central-entity': centralEntity,
  'dynamic-router': dynamicRouter,
  sidecar,
};
