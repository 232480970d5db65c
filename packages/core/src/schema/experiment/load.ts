/** The load of a cell: who sends requests, when and from where; and the warm-up before it. */
import { z } from 'zod';
import { duration, share } from '../quantities.ts';

export const arrivalLaws = ['constant', 'poisson'] as const;
export type ArrivalLaw = (typeof arrivalLaws)[number];
/** Drivers that send requests. */
export const requestDrivers = ['open', 'autocannon'] as const;
export type RequestDriverName = (typeof requestDrivers)[number];
const drivers = [...requestDrivers, 'flight'] as const;
export type DriverName = (typeof drivers)[number];

const loadPlaces = ['roles', 'here'] as const;
export type LoadOrigin = (typeof loadPlaces)[number];

export const load = z
  .strictObject({
    driver: z.enum(drivers).default('open').meta({
      description:
        '`open`: scheduled arrivals. `autocannon`: closed model. `flight`: bulk transfers, described by the field `flight`.',
    }),
    arrivals: z.enum(arrivalLaws).default('poisson'),
    rate: z.number().positive().max(1e6).default(100).meta({ description: 'Offered load in req/s (open model).' }),
    connections: z.int().min(1).max(10_000).default(10).meta({ description: 'Clients of the closed model.' }),
    processes: z.int().min(1).max(64).optional().meta({
      description:
        'Processes of each generator; default: as many as the rate needs for one generator on this machine, else 1.',
    }),
    generators: z.int().min(1).max(64).default(1).meta({
      description:
        'Load generators that split the one schedule: processes on this machine, pods on Kubernetes. The requests and their times do not depend on the number.',
    }),
    from: z.enum(loadPlaces).default('roles').meta({
      description:
        '`roles`: from the network of the roles where they have one of their own (pods), else from this machine. `here`: from this machine in any case, with its priorities.',
    }),
    inFlightCap: z.int().min(1).optional().meta({ description: 'Max open requests; default 8000, nested style 4000.' }),
    keepAwake: z.boolean().default(true).meta({
      description:
        'Keep the cores of the host from sleeping while load runs, where the system allows it (Linux, root); not for bulk transfers.',
    }),
  })
  .refine(({ driver, generators }) => driver !== 'flight' || generators === 1, {
    path: ['generators'],
    message: 'a bulk transfer has one generator; `flight.streams` and `load.processes` split it',
  })
  .refine(({ driver, generators, connections }) => driver !== 'autocannon' || generators <= connections, {
    path: ['generators'],
    message: 'expected at most one generator for each of `connections`',
  });

export const warmup = z.strictObject({
  requests: z.int().min(0).default(2000).meta({ description: 'Requests that every process must have served.' }),
  change: share.prefault('5%').meta({ description: 'Warm when throughput changed by less over three windows.' }),
  window: duration.prefault('2s'),
  connections: z.int().min(1).default(16),
  max: duration.prefault('120s').meta({ description: 'Max time; reaching it sets the flag `cold`.' }),
});
