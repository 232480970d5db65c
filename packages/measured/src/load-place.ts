/** Where the load of deployments is generated, and how the generators address the gateways. */
import type { LoadOrigin } from '@topo-bench/core/schema/experiment';
import { type Launcher, launcherNamed } from '@topo-bench/loadgen';
import type { Deployment, InsideNetwork } from '@topo-bench/runners';

export interface LoadPlace {
  /** Starts load generators; undefined: processes on this host. */
  launcher: Launcher | undefined;
  /** As the generators see the gateways: by deployment, in the order of its graph. */
  gatewayUrls: readonly (readonly string[])[];
}

export interface LoadPlaceOptions {
  /** `load.from` of the experiment. */
  from: LoadOrigin;
  /** Replaces the generators of both places. */
  launcher?: Launcher | undefined;
}

/**
 * Load comes from the network of the roles where they have one of their own, and from this machine otherwise. Several
 * deployments under one load need one place: that of the first, or this machine.
 */
export function loadPlace(
  deployments: readonly Pick<Deployment, 'roles' | 'inside'>[],
  { from, launcher }: LoadPlaceOptions,
): LoadPlace {
  const networks = from === 'here' ? [] : deployments.flatMap(({ inside }) => (inside ? [inside] : []));
  if (launcher || networks.length < deployments.length) {
    return { launcher, gatewayUrls: deployments.map(gatewayUrlsOf) };
  }
  const [first] = networks as [InsideNetwork];
  return {
    launcher: launcherNamed('remote', { addresses: (count, signal) => first.generators(count, signal) }),
    gatewayUrls: networks.map(({ gatewayUrls }) => gatewayUrls),
  };
}

/** As seen from this process, in the order of the graph. */
export function gatewayUrlsOf({ roles }: Pick<Deployment, 'roles'>): string[] {
  return roles.filter(({ kind }) => kind === 'gateway').map(({ url }) => url);
}
