/** The addresses of local roles: loopback, on free ports that the roles report. */
import { gatewayName, type Placement } from '@topo-bench/deployment';

/** @param gatewayPort of the first gateway; 0 for a free one */
export function onLoopback(gatewayPort: number): Placement {
  return {
    listen: ({ name }) => ({ host: '127.0.0.1', port: name === gatewayName ? gatewayPort : 0 }),
    urlOf: () => undefined,
    storeUrl: (url) => url,
    network: 'simulated',
  };
}
