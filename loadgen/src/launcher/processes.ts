/** Launcher `processes`: generators are child processes on this host, reached over IPC. They end with this process. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import { giveRealTimePriority, keepCoresAwake, ownScript, SupervisedChild } from '@topo-bench/host';
import { drivers } from '../drivers.ts';
import type { FromGenerator, ToGenerator } from '../generator/messages.ts';
import type { GeneratorLink, Launcher, LinkListener } from './launcher.ts';

const source = new URL('../worker-entry.ts', import.meta.url);

export interface ProcessLauncherOptions {
  /** Built script of the generator processes; default: the usual place. */
  workerPath?: string;
}

export function processLauncher({ workerPath }: ProcessLauncherOptions = {}): Launcher {
  return {
    isRemote: false,
    launch: async (parts) => parts.map(({ driver, shard }) => startGeneratorProcess(driver, workerPath, shard.part)),
    keepAwake: keepCoresAwake,
  };
}

/** @param workerPath built script of the process; default: the usual place */
export function startGeneratorProcess(driver: DriverName, workerPath?: string, part = 0): GeneratorLink {
  return new ProcessLink(driver, workerPath, part);
}

class ProcessLink implements GeneratorLink {
  readonly name: string;
  readonly #child: SupervisedChild;
  #listener: LinkListener | undefined;

  constructor(driver: DriverName, workerPath: string | undefined, part: number) {
    this.name = `process ${part}`;
    const { path, execArgv } =
      workerPath === undefined ? ownScript('load-worker.js', source) : { path: workerPath, execArgv: [] };
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
