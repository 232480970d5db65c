/** Facts of a container engine and its host that decide what can be measured there. */
import os from 'node:os';
import type Docker from 'dockerode';
import type { DockerVersion } from 'dockerode';

export interface EngineFacts {
  product: 'Docker' | 'Podman';
  version: string;
  apiVersion: string;
  /** `linux`, or `windows` for an engine of Windows containers. */
  containersFor: string;
  cgroupVersion: 1 | 2;
  /** Whether the engine runs on this host, so that the processes of its containers are in `/proc` here. */
  local: boolean;
  rootless: boolean;
  hostName: string;
  /** As in `process.arch`. */
  arch: string;
  kernel: string;
  cores: number;
  memoryBytes: number;
}

/** The part of `GET /info` that is used. */
interface EngineInfo {
  OSType: string;
  CgroupVersion?: string | number;
  SecurityOptions?: string[] | null;
  Name: string;
  KernelVersion: string;
  Architecture: string;
  NCPU: number;
  MemTotal: number;
}

const architectures: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64' };

/** @param overSocket whether its address is a socket of this host. The engine itself may still run in a machine. */
export async function readEngineFacts(client: Docker, overSocket: boolean, signal: AbortSignal): Promise<EngineFacts> {
  // The types lack the options of these two.
  const options = { abortSignal: signal } as never;
  const answers: unknown = await Promise.all([client.version(options), client.info(options)]);
  const [version, info] = answers as [DockerVersion, EngineInfo];
  const components = version.Components?.map(({ Name }) => Name) ?? [];
  return {
    product: components.some((name) => /podman/i.test(name)) ? 'Podman' : 'Docker',
    version: version.Version,
    apiVersion: version.ApiVersion,
    containersFor: info.OSType,
    cgroupVersion: String(info.CgroupVersion) === '2' ? 2 : 1,
    // Docker Desktop and WSL run the engine in a machine with a kernel or a name of its own.
    local: overSocket && info.Name === os.hostname() && info.KernelVersion === os.release(),
    rootless: (info.SecurityOptions ?? []).some((option) => option.includes('rootless')),
    hostName: info.Name,
    arch: architectures[info.Architecture] ?? info.Architecture,
    kernel: info.KernelVersion,
    cores: info.NCPU,
    memoryBytes: info.MemTotal,
  };
}
