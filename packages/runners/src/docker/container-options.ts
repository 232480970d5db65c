/** The container of a role: as few rights as a role needs, and nothing secret in what the engine shows of it. */
import type { RoleConfig } from '@topo-bench/core';
import type { RolePlan } from '@topo-bench/deployment';
import { documentsFolder, gatewayName, hostNameOf } from '@topo-bench/deployment';
import type { ContainerCreateOptions, HostConfig, PortMap } from 'dockerode';
import { confinement, roleUser } from './confinement.ts';
import { ports } from './placement.ts';

export interface ContainerPlace {
  image: string;
  /** Name of the container. */
  name: string;
  network: string;
  labels: Readonly<Record<string, string>>;
  /** Address of this host at which ports are published; absent when containers are reached directly. */
  publishOn?: string | undefined;
  /** Processors of its node, as in `0-1`; absent where it may use all. */
  cpuSet?: string | undefined;
  /** Port on which the gateway is published; 0 for a free one. */
  gatewayPort?: number | undefined;
}

/** Share of CPU time when all processors are busy: the weight of nice -20. Others have 1024, that of nice 0. */
const gatewayShares = 88_761;

export function containerOptions(
  config: RoleConfig,
  limits: RolePlan['limits'],
  place: ContainerPlace,
): ContainerCreateOptions {
  const { name, kind } = config;
  const { image, network, labels } = place;
  const document = (file: string): string => `${documentsFolder}/${file}`;
  const files = {
    '--config': document('config.json'),
    '--secrets': document('secrets.json'),
    '--graph': document('graph.json.gz'),
  };
  const published = publishedPorts(config, place);
  return {
    name: place.name,
    Image: image,
    // An image of `--image` is used for its files alone.
    Entrypoint: ['node'],
    // The option: docs/decisions/0034-cpu-per-request.md.
    Cmd: ['--no-memory-reducer', '/app/service.cjs', ...Object.entries(files).flat()],
    User: `${roleUser}:${roleUser}`,
    Hostname: hostNameOf(name),
    Labels: { ...labels },
    // A check would start a process in each container every few seconds, also during measurements.
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: Object.fromEntries(Object.keys(published).map((port) => [port, {}])),
    HostConfig: {
      NetworkMode: network,
      ...confinement(labels),
      // The default of an engine may be a driver whose logs it cannot read back.
      LogConfig: { Type: 'json-file', Config: { 'max-size': '16m' } },
      PortBindings: published,
      // The gateway measures every round-trip time: docs/decisions/0014-gateway-priority.md.
      ...(kind === 'gateway' && { CpuShares: gatewayShares }),
      ...limitOptions(limits, place.cpuSet),
    },
    NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: [hostNameOf(name)] } } },
  };
}

export function limitOptions(limits: RolePlan['limits'], cpuSet: string | undefined): HostConfig {
  return {
    ...(cpuSet !== undefined && { CpusetCpus: cpuSet }),
    ...(limits?.cpus !== undefined && { NanoCpus: Math.round(limits.cpus * 1e9) }),
    // Without more swap than memory, the limit is one of both together.
    ...(limits?.memoryBytes !== undefined && { Memory: limits.memoryBytes, MemorySwap: limits.memoryBytes }),
  };
}

function publishedPorts({ name, arrow }: RoleConfig, place: ContainerPlace): PortMap {
  const { publishOn, gatewayPort } = place;
  const isAsked = name === gatewayName && gatewayPort !== undefined;
  const data = { HostIp: publishOn ?? '127.0.0.1', HostPort: isAsked && gatewayPort ? String(gatewayPort) : '' };
  if (publishOn === undefined) return isAsked ? { [`${ports.data}/tcp`]: [data] } : {};
  const free = [{ HostIp: publishOn, HostPort: '' }];
  return {
    [`${ports.data}/tcp`]: [data],
    [`${ports.control}/tcp`]: free,
    ...(arrow?.table.flight && { [`${ports.flight}/tcp`]: free }),
  };
}
