/** The registry of load drivers, by their names in experiments and commands. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import { autocannonDriver } from './autocannon/driver.ts';
import type { DriverDefinition } from './driver.ts';
import { flightDriver } from './flight/driver.ts';
import { openDriver } from './open/driver.ts';

export const drivers: Readonly<Record<DriverName, DriverDefinition>> = {
  open: openDriver,
  autocannon: autocannonDriver,
  flight: flightDriver,
};
