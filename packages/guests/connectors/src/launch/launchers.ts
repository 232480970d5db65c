/** The registry of launchers: each loads its own code on first use. */
import type { Launcher, LauncherOptions, LaunchPlace } from './launcher.ts';

const launchers: Readonly<Record<LaunchPlace, (options: LauncherOptions) => Promise<Launcher>>> = {
  process: async (options) => (await import('./process/launcher.ts')).processLauncher(options),
  container: async (options) => (await import('./container/launcher.ts')).containerLauncher(options),
  pod: async (options) => (await import('./pod/launcher.ts')).podLauncher(options),
};

export function createLauncher(place: LaunchPlace, options: LauncherOptions): Promise<Launcher> {
  return launchers[place](options);
}
