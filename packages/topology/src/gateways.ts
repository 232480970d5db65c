/**
 * The gateways of a topology: one, or one for each region. Requests enter at the gateway of their region of origin, or
 * at the first gateway where that region has none.
 */
import type { RequestClass, TopologyFile } from '@topo-bench/core/schema/topology';
import { gatewayName } from './role-names.ts';

export interface Gateway {
  readonly name: string;
  /** Index into the nodes. */
  readonly node: number;
  readonly region: string;
}

type PlacedGateways = Pick<TopologyFile, 'gateways' | 'gateway' | 'nodes'>;

/** The first stands where the file places the gateway; the others on the first node of their region. */
export function gatewaysOf({ gateways, gateway, nodes }: PlacedGateways): [Gateway, ...Gateway[]] {
  const node = Math.max(
    0,
    nodes.findIndex(({ name }) => name === gateway.node),
  );
  const region = nodes[node]!.region;
  const first = { name: gatewayName, node, region };
  if (gateways === 'one') return [first];
  const others = [...new Set(nodes.map((one) => one.region))].filter((other) => other !== region);
  return [first, ...others.map((other) => regionalGateway(other, nodes))];
}

function regionalGateway(region: string, nodes: PlacedGateways['nodes']): Gateway {
  return { name: `${gatewayName}-${region}`, node: nodes.findIndex((one) => one.region === region), region };
}

/** @param origin region of a request */
export function gatewayFor<Place extends Pick<Gateway, 'region'>>(gateways: readonly Place[], origin: string): Place {
  return gateways.find(({ region }) => region === origin) ?? gateways[0]!;
}

interface Requests {
  readonly gateways: readonly [Gateway, ...Gateway[]];
  readonly requestClasses: readonly RequestClass[];
}

/** Expected share of the requests at each gateway, 0…1, in the order of the gateways. */
export function gatewayShares({ gateways, requestClasses }: Requests): number[] {
  const shares = new Map<Gateway, number>(gateways.map((gateway) => [gateway, 0]));
  const total = requestClasses.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, origin } of requestClasses) {
    const origins = typeof origin === 'string' ? { [origin]: 1 } : origin;
    const all = Object.values(origins).reduce((sum, one) => sum + one, 0);
    for (const [region, one] of Object.entries(origins)) {
      const gateway = gatewayFor(gateways, region);
      shares.set(gateway, (shares.get(gateway) as number) + ((one / all) * weight) / total);
    }
  }
  return [...shares.values()];
}
