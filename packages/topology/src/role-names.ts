/** Names of the roles that topo-bench adds to the services of a topology. */
export const gatewayName = 'gateway';
export const centralEntityName = 'central-entity';
/** `router-1` … `router-k`; sidecars are named `<service>-sidecar`. */
export const routerName = (index: number): string => `router-${index + 1}`;
export const sidecarName = (service: string): string => `${service}-sidecar`;
