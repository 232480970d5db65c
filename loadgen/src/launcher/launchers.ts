/** The registry of launchers, by name. */
import type { Launcher } from './launcher.ts';
import { type ProcessLauncherOptions, processLauncher } from './processes.ts';
import { type RemoteLauncherOptions, remoteLauncher } from './remote.ts';

export interface LauncherOptions {
  processes: ProcessLauncherOptions | undefined;
  remote: RemoteLauncherOptions;
}

export type LauncherName = keyof LauncherOptions;

const launchers: { [Name in LauncherName]: (options: LauncherOptions[Name]) => Launcher } = {
  processes: processLauncher,
  remote: remoteLauncher,
};

export function launcherNamed(name: 'processes', options?: ProcessLauncherOptions): Launcher;
export function launcherNamed<Name extends LauncherName>(name: Name, options: LauncherOptions[Name]): Launcher;
export function launcherNamed<Name extends LauncherName>(name: Name, options: LauncherOptions[Name]): Launcher {
  return launchers[name](options);
}
