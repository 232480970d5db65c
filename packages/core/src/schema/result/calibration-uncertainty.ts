/** How far a simulated figure may be off, since it follows from a calibration. */
import { z } from 'zod';

const interval = z.tuple([z.number().min(0), z.number().min(0)]);

export const calibrationUncertainty = z
  .strictObject({
    confidence: z.number().min(0).max(1),
    medianUs: interval.meta({ description: 'Of the median RTT of a measured repetition.' }),
    p95Us: interval,
    cpuUsPerRequest: interval,
    draws: z.int().min(2).meta({ description: 'Simulations, each with parameters drawn from the covariance.' }),
    distance: z.number().min(0).meta({
      description:
        'From the calibrated range of hops, turns per second and busy share, as a sum of logarithms; 0 within it.',
    }),
    heldOutErrors: z
      .strictObject({
        cells: z.int().min(0),
        medianPercent: z.number().optional(),
        p95Percent: z.number().optional(),
        cpuPercent: z.number().optional(),
      })
      .meta({ description: 'Median error of the same calibration on cells that its fit has not seen.' }),
    disturbed: z.literal(true).optional().meta({ description: 'Other programs disturbed the calibration.' }),
  })
  .meta({
    id: 'calibrationUncertainty',
    description:
      'Intervals of a simulated figure from replication, the uncertainty of the parameters, and the error on held-out cells.',
  });
export type CalibrationUncertainty = z.output<typeof calibrationUncertainty>;
