/** The flag that chooses a runner; its values and help come from the registry. */
import { runnerNames } from '@topo-bench/core';
import { runners } from '@topo-bench/runners';
import { Option } from 'commander';

/** @param fallback source of the runner name without the flag; shown in the help */
export function runnerOption(fallback: string): Option {
  const descriptions = runnerNames.map((name) => `${name}, ${runners[name].description}`);
  return new Option(
    '--runner <name>',
    `what runs the services: ${descriptions.join('; ')} (default: ${fallback})`,
  ).choices(runnerNames);
}
