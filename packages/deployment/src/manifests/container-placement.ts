/** Addresses of roles in containers of one network: a host name per role, and the same ports in all of them. */
import type { UserImage } from '@topo-bench/core/schema/user-service';
import { hostNameOf, userHostOf } from '../host-name.ts';
import type { Placement } from '../placement.ts';
import { userImagePort } from '../user-image.ts';

export const rolePorts = { data: 8080, control: 8081, flight: 8815 } as const;

/** The containers share one host, so senders add the delays of links. */
export const inContainers: Placement = {
  listen: () => {
    const { data: port, control: controlPort, flight: flightPort } = rolePorts;
    return { host: '0.0.0.0', port, controlPort, flightPort, published: 'loopback' };
  },
  urlOf: ({ name }) => `http://${hostNameOf(name)}:${rolePorts.data}`,
  controlUrlOf: ({ name }) => `http://${hostNameOf(name)}:${rolePorts.control}`,
  userImageUrlOf: ({ name, userImage }) => `http://${userHostOf(name)}:${userImagePort(userImage as UserImage)}`,
  storeUrl: (url) => url,
  network: 'simulated',
};
