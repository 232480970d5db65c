/** The rights of a container of topo-bench's image: as few as its program needs. */
import { documentsFolder } from '@topo-bench/deployment';
import type { HostConfig, MountSettings } from 'dockerode';

/** The user that its programs run as. */
export const roleUser = 1000;

/** Max processes and threads, of about fifteen: it ends a program that multiplies, and no measurement comes near it. */
const maxProcesses = 1024;

type Confinement = Pick<HostConfig, 'ReadonlyRootfs' | 'CapDrop' | 'SecurityOpt' | 'Tmpfs' | 'PidsLimit'> & {
  Mounts: MountSettings[];
};

/**
 * A read-only root without capabilities; it writes to memory at `/tmp` alone. Its documents are in a volume.
 * @param labels of the volume
 */
export function confinement(labels: Readonly<Record<string, string>>): Confinement {
  return {
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    PidsLimit: maxProcesses,
    Tmpfs: { '/tmp': 'rw,nosuid,nodev,noexec,size=64m,mode=1777' },
    Mounts: [
      { Type: 'volume', Target: documentsFolder, Source: '', VolumeOptions: { Labels: { ...labels } } } as never,
    ],
  };
}
