/** The control group of a process, for version 1 or 2. */
import { join, posix } from 'node:path';
import type { Cgroup } from './cgroup.ts';
import { readText } from './cgroup-files.ts';
import { cgroupVersion1 } from './version-1.ts';
import { cgroupVersion2 } from './version-2.ts';

/**
 * A host with both versions (hybrid) has its controllers in version 1.
 * @param root of the file system, for tests
 * @returns undefined for a process that has ended, and on systems without control groups
 */
export function findCgroup(pid: number | 'self', root = '/'): Cgroup | undefined {
  const paths = cgroupPaths(readText(join(root, 'proc', String(pid)), 'cgroup') ?? '');
  const mounts = cgroupMounts(readText(join(root, 'proc/self'), 'mountinfo') ?? '');
  const folderOf = (controller: string): string | undefined => {
    const [path, mount] = [paths.get(controller), mounts.get(controller)];
    return path === undefined || mount === undefined ? undefined : join(root, mount.point, within(mount.root, path));
  };
  const folders = { cpu: folderOf('cpu'), cpuacct: folderOf('cpuacct'), memory: folderOf('memory') };
  if (Object.values(folders).some(Boolean)) {
    return cgroupVersion1(paths.get('memory') ?? paths.get('cpuacct') ?? paths.get('cpu') ?? '/', folders);
  }
  const folder = folderOf(unified);
  return folder === undefined ? undefined : cgroupVersion2(paths.get(unified) as string, folder);
}

/** Key of the version 2 hierarchy, which has no controller name. */
const unified = '';

/** Parses lines `<number>:<controllers>:<path>` (cgroups(7)) into paths by controller. */
function cgroupPaths(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return path === undefined
        ? []
        : (controllers as string).split(',').map((controller) => [controller, path] as const);
    }),
  );
}

interface Mount {
  /** Path of the mounted group: a container may see only its own group. */
  root: string;
  point: string;
}

/**
 * Parses lines `… <root> <mount point> … - <type> <source> <options>` (proc_pid_mountinfo(5)) into mounts by
 * controller.
 */
function cgroupMounts(text: string): ReadonlyMap<string, Mount> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [before = '', after = ''] = line.split(' - ');
      const [root = '', point = ''] = before.split(' ').slice(3);
      const [type, , options = ''] = after.split(' ');
      if (type === 'cgroup2') return [[unified, { root, point }] as const];
      return type === 'cgroup' ? options.split(',').map((option) => [option, { root, point }] as const) : [];
    }),
  );
}

/** The path of a group below the mounted group. A group outside it is the container's own, at the mount point. */
function within(root: string, path: string): string {
  const relative = posix.relative(root, path);
  return relative.startsWith('..') ? '' : relative;
}
