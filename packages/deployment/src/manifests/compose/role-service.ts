/** The entries of a role in `docker-compose.yml`: the settings that all roles share, and those of one role. */
import type { Limits } from '@topo-bench/core/schema/limits';
import { documentsFolder } from '../../deployment-documents.ts';
import type { RolePlan } from '../../deployment-plan.ts';
import { rolePorts } from '../container-placement.ts';
import { defaultMemoryBytes } from '../default-memory.ts';
import { documentPaths } from '../document-files.ts';

/** Sets another port of a gateway on the host: `TOPO_BENCH_GATEWAY_PORT`, and that of a region with its name. */
function portVariable(gateway: string): string {
  return `TOPO_BENCH_${gateway.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_PORT`;
}

/** The image's own user. A role needs no capability and writes to no file. */
const user = '1000:1000';

/**
 * Max processes and threads. A role has about fifteen; the limits end a program that multiplies, and no measurement
 * comes near them.
 */
const maxProcesses = { ofRoles: 1024, ofOthers: 4096 } as const;

/** Rights of the engine's default set that no server needs. The others stay: entrypoints change users and owners. */
const droppedOfOthers = ['NET_RAW', 'MKNOD', 'SETFCAP'] as const;

/** Rights and limits of images that are not ours: databases, and those of users. */
export const otherImageBounds = {
  cap_drop: [...droppedOfOthers],
  security_opt: ['no-new-privileges:true'],
  pids_limit: maxProcesses.ofOthers,
  ...limitSettings({ memoryBytes: defaultMemoryBytes }),
};

const documents = {
  config: `${documentsFolder}/config.json`,
  secrets: `${documentsFolder}/secrets.json`,
  graph: `${documentsFolder}/graph.json`,
} as const;

export function sharedSettings(image: string): object {
  const flags = Object.entries(documents).flatMap(([name, path]) => [`--${name}`, path]);
  return {
    image: `\${TOPO_BENCH_IMAGE:-${image}}`,
    entrypoint: ['node', '--no-memory-reducer', '/app/service.cjs'],
    command: flags,
    user,
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    pids_limit: maxProcesses.ofRoles,
    ...limitSettings({ memoryBytes: defaultMemoryBytes }),
    // Rare: each check starts a process, which takes processor time from the roles.
    healthcheck: {
      test: ['CMD', 'node', '/app/image/health.cjs'],
      interval: '30s',
      timeout: '5s',
      start_period: '30s',
    },
  };
}

/** @param gatewayPort on the host, on loopback alone: for a role that is a gateway */
export function roleSettings({ name, kind, limits, userImage }: RolePlan, gatewayPort: number): object {
  const published = `127.0.0.1:\${${portVariable(name)}:-${gatewayPort}}:${rolePorts.data}`;
  return {
    ...(kind === 'gateway' && { ports: [published] }),
    // With a user-supplied image, the limits of the service are those of its container.
    ...(!userImage && limitSettings(limits)),
    volumes: [
      mounted(documentPaths.config(name), documents.config),
      mounted(documentPaths.secrets(name), documents.secrets),
      mounted(documentPaths.graph, documents.graph),
    ],
  };
}

/** Swap is part of the memory. */
export function limitSettings({ cpus, memoryBytes }: Limits = {}): object {
  return {
    ...(cpus !== undefined && { cpus }),
    ...(memoryBytes !== undefined && { mem_limit: memoryBytes, memswap_limit: memoryBytes }),
  };
}

/** In the long form, a missing file is an error. In the short form, the engine creates a folder in its place. */
export function mounted(path: string, target: string): object {
  return { type: 'bind', source: `./${path}`, target, read_only: true };
}
