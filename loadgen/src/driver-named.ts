/** The load drivers by the names that experiments and commands use. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import { autocannonDriver } from './autocannon/driver.ts';
import type { Driver } from './driver.ts';
import { flightDriver } from './flight/driver.ts';
import { openDriver } from './open/driver.ts';

const drivers: Record<DriverName, (options: { workerPath?: string }) => Driver> = {
  open: openDriver,
  autocannon: autocannonDriver,
  flight: flightDriver,
};

/** @param workerPath built script of the generator processes, when it is not in its usual place */
export function driverNamed(name: DriverName, workerPath?: string): Driver {
  return drivers[name](workerPath === undefined ? {} : { workerPath });
}
