/** Places whose programs share no folder with this process, and thus no Unix socket. */
import { TopoBenchError } from '@topo-bench/core';
import type { LaunchPlace } from './launcher.ts';

/** @throws TopoBenchError `TB_CONNECTOR_SOCKETS` */
export function refuseSockets(place: Exclude<LaunchPlace, 'process'>): never {
  throw new TopoBenchError('TB_CONNECTOR_SOCKETS', `a connector in a ${place} has no socket for its records here`, {
    hint: `use connector-process-sockets, or connector-${place}, which sends JSON lines`,
  });
}
