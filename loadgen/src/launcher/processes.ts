/** Launcher `processes`: generators are child processes on this host, reached over IPC. They end with this process. */
import { giveRealTimePriority, keepCoresAwake, SupervisedChild } from '@topo-bench/host';
import { drivers } from '../drivers.ts';
import type { FromGenerator, LoadPart, ToGenerator } from '../generator/messages.ts';
import type { GeneratorLink, Launcher, LinkListener } from './launcher.ts';
import { workerScript } from './worker-script.ts';

export interface ProcessLauncherOptions {
  /** Built script of the generator processes; default: the usual place. */
  workerPath?: string;
}

export function processLauncher({ workerPath }: ProcessLauncherOptions = {}): Launcher {
  return {
    launch: async (parts) => parts.map((part) => new ProcessLink(part, workerPath)),
    keepAwake: keepCoresAwake,
  };
}

class ProcessLink implements GeneratorLink {
  readonly #child: SupervisedChild;
  #listener: LinkListener | undefined;

  constructor({ driver }: LoadPart, workerPath: string | undefined) {
    const { path, execArgv } = workerScript(workerPath);
    this.#child = new SupervisedChild({
      command: process.execPath,
      args: [...execArgv, ...drivers[driver].nodeOptions, path],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      onMessage: (message: FromGenerator) => this.#listener?.onMessage(message),
      onDeath: ({ error, signal, exitCode }) => {
        this.#listener?.onDeath(error?.message ?? signal ?? `exit code ${exitCode}`, this.#child.errorLines);
      },
    });
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  send(message: ToGenerator): void {
    this.#child.send(message);
  }

  async prioritise(threads: readonly number[] | undefined): Promise<boolean> {
    const { pid } = this.#child;
    return pid !== undefined && (await giveRealTimePriority(pid, threads));
  }

  async end(): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }
}
