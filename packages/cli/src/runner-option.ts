/** The flags that choose a runner and its engine. Values and help of the runners come from the registry. */
import { type RunnerName, runnerNames } from '@topo-bench/core';
import { type RunnerOptions, runners } from '@topo-bench/runners';
import { type Command, Option } from 'commander';
import { serviceEntry } from './built-files.ts';
import { note } from './output.ts';

export interface EngineFlags {
  image?: string;
  baseImage?: string;
  context?: string;
}

export interface RunnerFlags extends EngineFlags {
  runner?: RunnerName;
}

/** @param fallback source of the runner name without the flag; shown in the help */
export function addRunnerOptions(command: Command, fallback: string): void {
  const descriptions = runnerNames.map((name) => `${name}, ${runners[name].description}`);
  const help = `what runs the services: ${descriptions.join('; ')} (default: ${fallback})`;
  command.addOption(new Option('--runner <name>', help).choices(runnerNames));
  addEngineOptions(command);
}

/** The flags of container engines and clusters without the choice of a runner. */
export function addEngineOptions(command: Command): void {
  command
    .option('--image <name>', 'image of services in containers, used as it is (default: built when it is needed)')
    .option('--base-image <name>', 'Node.js image that the image of services is built on, where no registry answers')
    .option('--context <name>', 'context of Docker or of the kubeconfig (default: the current one)');
}

/** @throws TopoBenchError `TB_NOT_BUILT` */
export function runnerOptionsOf({ image, baseImage, context }: EngineFlags): RunnerOptions {
  return {
    serviceEntry: serviceEntry(),
    onProgress: note,
    ...(image !== undefined && { image }),
    ...(baseImage !== undefined && { baseImage }),
    ...(context !== undefined && { context }),
  };
}
