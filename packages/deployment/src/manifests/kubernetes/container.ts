/** The container of a role: its command, resources, probes and rights. */

import { documentsFolder } from '../../deployment-documents.ts';
import type { RolePlan } from '../../deployment-plan.ts';
import type { DocumentFiles } from './config-files.ts';
import type { ManifestOptions } from './object.ts';
import { keeperPort, type PodContainer } from './pods.ts';

/**
 * Requests only: a limit stops a container for the rest of a period of 100 ms, which raises high percentiles also at
 * low average use. The gateway measures round-trip times, so it gets a larger share of a contended processor.
 */
const cpuRequests = { gateway: 0.1, others: 0.01 } as const;
const memoryRequestBytes = 64 * 1024 ** 2;

/** Restricted pod security of a container (Kubernetes, Pod Security Standards). */
export const containerSecurity = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

/** Restricted pod security of a pod, without an account on the API server. */
export const podSecurity = {
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  automountServiceAccountToken: false,
  enableServiceLinks: false,
};

/** @param volume name of the volume with the documents of the role */
export function roleContainer(
  { role, ports }: PodContainer,
  name: string,
  volume: string,
  files: DocumentFiles,
  { image, memoryBytes, keepers = false }: ManifestOptions,
): Record<string, unknown> {
  const paths = { config: files.configOf(role.name), secrets: files.secrets, graph: files.graph };
  const keeper = keepers ? ['--keeper', `${keeperPort(ports)}`] : [];
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['node', '--no-memory-reducer', '/app/service.cjs', ...fileArguments(paths), ...keeper],
    // Without names: they would have to be unique in the pod.
    ports: [{ containerPort: ports.data }, { containerPort: ports.control }, { containerPort: ports.flight }],
    resources: resources(role, memoryBytes),
    // Only the start is probed. A saturated role answers late, and must neither restart nor leave its Service.
    startupProbe: {
      httpGet: { path: '/health', port: ports.control },
      periodSeconds: 1,
      timeoutSeconds: 5,
      failureThreshold: 120,
    },
    securityContext: containerSecurity,
    volumeMounts: [
      { name: volume, mountPath: documentsFolder, readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

function fileArguments(paths: Readonly<Record<string, string>>): string[] {
  return Object.entries(paths).flatMap(([document, file]) => [`--${document}`, `${documentsFolder}/${file}`]);
}

/** A request above a limit would be refused. */
function resources({ kind, limits = {} }: RolePlan, defaultBytes?: number): Record<string, unknown> {
  const { cpus, memoryBytes = defaultBytes } = limits;
  const cpu = Math.min(kind === 'gateway' ? cpuRequests.gateway : cpuRequests.others, cpus ?? Number.POSITIVE_INFINITY);
  const memory = Math.min(memoryRequestBytes, memoryBytes ?? Number.POSITIVE_INFINITY);
  return {
    requests: { cpu: milli(cpu), memory: `${Math.floor(memory / 1024)}Ki` },
    ...((cpus !== undefined || memoryBytes !== undefined) && {
      limits: {
        ...(cpus !== undefined && { cpu: milli(cpus) }),
        ...(memoryBytes !== undefined && { memory: String(memoryBytes) }),
      },
    }),
  };
}

function milli(cpus: number): string {
  return `${Math.round(cpus * 1000)}m`;
}
