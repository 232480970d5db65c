/** A driver with the launcher of its generators. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { Driver } from './driver.ts';
import { runGenerators } from './generator/run-generators.ts';
import type { Launcher } from './launcher/launcher.ts';
import { launcherNamed } from './launcher/launchers.ts';

/** @param launcher default: processes on this host */
export function driverNamed(name: DriverName, launcher: Launcher = launcherNamed('processes')): Driver {
  return { name, run: (job, signal, observer) => runGenerators({ driver: name, job, launcher, signal, observer }) };
}
