/** The container of a user-supplied image next to its role: its port and its environment. */
import type { UserImage } from '@topo-bench/core/schema/user-service';

/** Passed in the variable that `port: env NAME` names. Containers of one network do not share ports. */
const defaultPort = 8080;

export function userImagePort({ port }: UserImage): number {
  return typeof port === 'number' ? port : defaultPort;
}

/** @param token of its role: calls without it bypass enforcement, and the service answers 401 to them */
export function userImageEnvironment(image: UserImage, token: string): Record<string, string> {
  const port = typeof image.port === 'number' ? {} : { [image.port.env]: String(userImagePort(image)) };
  return { ...port, TOPO_BENCH_TOKEN: token, ...image.env };
}
