/** The addresses of local roles: loopback, on free ports that the roles report. */
import type { Placement } from '@topo-bench/deployment';

/** @param gatewayPort 0 for a free one */
export function onLoopback(gatewayPort: number): Placement {
  return {
    listen: ({ kind }) => ({ host: '127.0.0.1', port: kind === 'gateway' ? gatewayPort : 0 }),
    urlOf: () => undefined,
    storeUrl: (url) => url,
    network: 'simulated',
  };
}
