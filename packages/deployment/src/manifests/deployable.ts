/** Rejects topologies with parts that generated containers cannot run. */
import { TopoBenchError } from '@topo-bench/core';
import type { Graph } from '@topo-bench/topology';

export interface DeployableParts {
  /** Whether the target deploys database servers. */
  withStores?: boolean;
  /** Whether the target deploys user-supplied images. */
  withImages?: boolean;
}

/** @throws TopoBenchError `TB_GENERATE_UNSUPPORTED` */
export function requireDeployable(
  { services }: Graph,
  { withStores = false, withImages = false }: DeployableParts = {},
): void {
  for (const { name, user, persistence } of services) {
    if (user && user.kind !== 'url' && !(withImages && user.kind === 'image')) {
      const message = `${name}: got a service with \`${user.kind}\`, expected one with \`url\`, or a generated one`;
      const image = user.kind === 'image' ? 'choose the target compose, or ' : '';
      const hint = `${image}run your service in a container of its own, and give its address as \`url\``;
      throw new TopoBenchError('TB_GENERATE_UNSUPPORTED', message, { hint });
    }
    if (persistence && !withStores) {
      const message = `${name}: got a service with \`persistence\`, expected services without stores`;
      const hint = 'choose the target compose, or keep it running with: topo-bench up';
      throw new TopoBenchError('TB_GENERATE_UNSUPPORTED', message, { hint });
    }
  }
}
