/** Parts of the runner for others that run containers on the same engine. */
export { confinement, roleUser } from './confinement.ts';
export { joinServers, removeServers } from './joined-servers.ts';
export { onNetwork } from './placement.ts';
export { createNetwork, type RunNetwork } from './run-network.ts';
