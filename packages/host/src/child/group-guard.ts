/**
 * The guard of a process group: a shell that kills the group when this process ends without stopping it, even by
 * SIGKILL. Its descriptor 3 is the lifeline, whose other end only this process has.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Reads the number of the group, then a line when the group has ended. Without that line it kills the group. The shell
 * forks and its first process exits: the guard is then no descendant of this process, and in none of its figures.
 */
const script = '{ read -r group || exit 0; read -r ended && exit 0; kill -s KILL -- "-$group"; } <&3 &';

export class GroupGuard {
  // Not the standard input, which Node.js closes when the first process exits.
  readonly #lifeline: Socket | undefined;

  /** Starts the guard. Without a shell, or out of processes, there is no guard and no error. */
  constructor() {
    const shell: ChildProcess = spawn('/bin/sh', ['-c', script, `guard of ${process.pid}`], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      // In its own group it outlives the kill of the group of this process.
      detached: true,
    });
    shell.on('error', () => {});
    // Streams are missing when the system is out of descriptors.
    this.#lifeline = (shell.stdio as ChildProcess['stdio'] | undefined)?.[3] as Socket | undefined;
    this.#lifeline?.on('error', () => {});
    // Neither keeps this process running.
    shell.unref();
    this.#lifeline?.unref();
  }

  /** @param group id of the leader */
  watch(group: number): void {
    this.#lifeline?.write(`${group}\n`);
  }

  /** Ends the guard: the group has ended, or never started. */
  release(): void {
    this.#lifeline?.end('ended\n');
  }
}
