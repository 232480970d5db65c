/** The registry of launchers, by name. */
import type { Launcher } from './launcher.ts';
import { type ProcessLauncherOptions, processLauncher } from './processes.ts';

export const launcherNames = ['processes'] as const;
export type LauncherName = (typeof launcherNames)[number];

const launchers: Record<LauncherName, (options: ProcessLauncherOptions) => Launcher> = {
  processes: processLauncher,
};

export function launcherNamed(name: LauncherName, options: ProcessLauncherOptions = {}): Launcher {
  return launchers[name](options);
}
