/** Predictions that were written down before the measurement that judges them. */
import { z } from 'zod';
import { factorLevels } from './result/figures.ts';

const us = z.number().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');

/** RTT and CPU time of a cell; null: no statement. */
const figures = z.strictObject({
  medianUs: us.nullable(),
  p95Us: us.nullable(),
  p99Us: us.nullable().optional().meta({
    description: 'Of repetitions with 1,000 completed requests or more; absent in older files.',
  }),
  cpuUs: us.nullable(),
});
export type PredictedFigures = z.output<typeof figures>;

export const baselineNames = ['nearest', 'linearInHops', 'mm1'] as const;
export type BaselineName = (typeof baselineNames)[number];

const registeredCell = z.strictObject({
  factors: factorLevels,
  predicted: figures,
  intervals: z
    .strictObject({ medianUs: z.tuple([us, us]), p95Us: z.tuple([us, us]), cpuUs: z.tuple([us, us]) })
    .optional()
    .meta({ description: 'Of a measured repetition, with 90% confidence; absent without a fitted calibration.' }),
  busyShare: us.meta({ description: 'Predicted, of the cores; 0 to 1.' }),
  baselines: z.partialRecord(z.enum(baselineNames), figures).meta({
    description:
      'What simple rules predict from the same calibrated cells: those of the nearest cell, a line in hops, and a queue M/M/1 for each process.',
  }),
});
export type RegisteredCell = z.output<typeof registeredCell>;

export const predictionsFile = z
  .strictObject({
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Predictions'),
    createdAt: z.iso.datetime(),
    topoBench: z.string(),
    calibration: z.strictObject({ name: z.string(), sha256, machine: z.string(), disturbed: z.boolean() }).meta({
      description: 'A calibration that was chosen after its held-out errors were seen has another digest.',
    }),
    cluster: z.strictObject({ name: z.string(), sha256 }).optional().meta({
      description: 'Machines in place of the calibrated one; absent without.',
    }),
    machines: z
      .strictObject({
        cores: z.int().min(1).meta({ description: 'Of all machines.' }),
        cpuModel: z.string().optional().meta({ description: 'Absent where the calibration was not fitted.' }),
      })
      .optional()
      .meta({ description: 'What the predictions stand for; absent in older files.' }),
    experiment: z.strictObject({
      name: z.string(),
      inputsSha256: sha256.meta({ description: 'Of the texts of all files, and of the choices.' }),
    }),
    cells: z.array(registeredCell).min(1),
    sha256: sha256.meta({ description: 'Of all other fields, with sorted keys.' }),
  })
  .meta({ title: 'topo-bench predictions', description: 'Predictions with their digests.' });
export type Predictions = z.output<typeof predictionsFile>;
