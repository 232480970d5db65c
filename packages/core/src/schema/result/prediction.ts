/** A cell by a simulation: its state, its bottleneck, and the intervals of its quantiles. */
import { z } from 'zod';

const us = z.number().min(0);
const interval = z.tuple([us, us]).meta({ description: 'Lower and upper end, µs, with a confidence of 95%.' });
const busyShare = z.number().min(0);

const station = z
  .strictObject({
    kind: z.enum(['process', 'host']),
    name: z.string(),
    busyShare: busyShare.meta({ description: 'Demand at the offered rate, as a share of what it has.' }),
  })
  .meta({ id: 'station', description: 'A process, which is one event loop, or a host with its cores.' });

export const prediction = z
  .strictObject({
    cluster: z.string().optional().meta({
      description: 'Cluster that the figures stand for; absent where they stand for the machine of the calibration.',
    }),
    state: z.enum(['stable', 'near-capacity', 'unstable']).meta({
      description:
        'By the busiest station, without a simulation. `near-capacity`: it has hardly any reserve, so quantiles depend on chance, and none is stated. `unstable`: it needs more than it has, so RTT grows for as long as the load lasts.',
    }),
    bottleneck: station.meta({ description: 'The station with the least reserve.' }),
    maxRps: z.number().meta({ description: 'Rate at which the bottleneck has no reserve: a bound of the throughput.' }),
    hosts: z.record(z.string(), busyShare).meta({ description: 'Busy share of the cores of each host.' }),
    replications: z.int().min(1).optional().meta({ description: 'Independent simulations behind the intervals.' }),
    medianUs: interval.optional().meta({ description: 'Of the median RTT. Absent in other states than `stable`.' }),
    p95Us: interval.optional().meta({ description: 'Of the 95th percentile of RTT.' }),
  })
  .meta({ id: 'prediction', description: 'The cell by a simulation, not only this repetition.' });
export type Prediction = z.output<typeof prediction>;
