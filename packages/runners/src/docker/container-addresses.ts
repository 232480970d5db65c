/** Addresses of a role in a container, as seen from this process. */
import { isIP } from 'node:net';
import type { Engine } from '@topo-bench/containers';
import { isLoopback, type RoleConfig, TopoBenchError } from '@topo-bench/core';
import type { ContainerInspectInfo } from 'dockerode';
import type { HttpRole } from '../http-deployment.ts';
import { ports } from './placement.ts';
import type { RunNetwork } from './run-network.ts';

export function addressesOf(
  info: ContainerInspectInfo,
  { kind, arrow }: RoleConfig,
  network: RunNetwork,
  engine: Engine,
): Pick<HttpRole, 'url' | 'controlUrl' | 'flightUrl'> {
  const own = info.NetworkSettings.Networks[network.name]?.IPAddress;
  const hostPort = (port: number): string =>
    network.direct && own ? `${own}:${port}` : `${engine.publishedHost}:${publishedPort(info, port)}`;
  const flight = arrow?.table.flight;
  // A gateway that `up` publishes is announced under that port.
  const isPublished = kind === 'gateway' && publishedPorts(info, ports.data).length > 0;
  const data = isPublished ? `${engine.publishedHost}:${publishedPort(info, ports.data)}` : hostPort(ports.data);
  return {
    url: `http://${data}`,
    controlUrl: `http://${hostPort(ports.control)}`,
    ...(flight && { flightUrl: `${flight.tls?.enabled ? 'grpc+tls' : 'grpc+tcp'}://${hostPort(ports.flight)}` }),
  };
}

/** Ports of an engine on another host are reached over the network: tokens protect the roles, but for the gateway. */
export function publishedOn({ publishedHost }: Pick<Engine, 'publishedHost'>): string {
  if (!isLoopback(publishedHost)) return '0.0.0.0';
  return isIP(publishedHost) ? publishedHost : '127.0.0.1';
}

function publishedPort(info: ContainerInspectInfo, port: number): string {
  const [published] = publishedPorts(info, port);
  if (published) return published;
  throw new TopoBenchError('TB_ENGINE_FAILED', `the engine did not publish port ${port} of ${info.Name.slice(1)}`, {
    hint: 'update the engine, or set DOCKER_HOST to the address of another one',
  });
}

/** Docker has one entry for each address family, Podman one without an address. */
function publishedPorts({ NetworkSettings }: ContainerInspectInfo, port: number): string[] {
  const entries = NetworkSettings.Ports?.[`${port}/tcp`] ?? [];
  return entries.map(({ HostPort }) => HostPort).filter((number) => Number(number) > 0);
}
