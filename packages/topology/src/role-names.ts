/** Names of the roles that topo-bench adds to the services of a topology. */
import { architectures, architectureTable } from '@topo-bench/core';

export const gatewayName = 'gateway';

/** @returns a function from a name to the role that has it, ignoring letter case; undefined for a free name */
export function roleNames(
  services: readonly { name: string }[],
  gateways: readonly { name: string }[],
): (name: string) => string | undefined {
  const owners = architectures.map((architecture) => pointOwner(architecture, services));
  return (name) => {
    const lower = name.toLowerCase();
    return gateways.some((gateway) => gateway.name.toLowerCase() === lower)
      ? 'a gateway'
      : owners.map((owner) => owner(lower)).find((owner) => owner !== undefined);
  };
}

function pointOwner(
  architecture: (typeof architectures)[number],
  services: readonly { name: string }[],
): (name: string) => string | undefined {
  const { role, roleName, replicas } = architectureTable[architecture];
  if (!role || !roleName) return () => undefined;
  const kind = role.replace('-', ' ');
  if (roleName.includes('<service>')) {
    const served = new Map(services.map(({ name }) => [roleName.replace('<service>', name).toLowerCase(), name]));
    return (name) => (served.has(name) ? `the ${kind} of "${served.get(name)}"` : undefined);
  }
  const article = roleName.includes('<n>') ? 'a' : 'the';
  const names = new RegExp(`^${roleName.replace('<n>', '\\d+')}$`);
  const ofReplicas = new RegExp(`${names.source.slice(0, -1)}-\\d+$`);
  return (name) => {
    if (names.test(name)) return `${article} ${kind}`;
    return replicas && ofReplicas.test(name) ? `a replica of ${article} ${kind}` : undefined;
  };
}
