/** How a calibration was fitted: machine, parameters with their uncertainty, and every cell with its error. */
import { z } from 'zod';
import { factorLevels } from './result/figures.ts';

const us = z.number().min(0);
const percent = z.number().min(0).max(100);
const range = z.tuple([z.number(), z.number()]);

/** Figures of one cell: of all its repetitions, or of the model. */
export const cellFigures = z
  .strictObject({
    q1Us: us,
    medianUs: us,
    q3Us: us,
    p95Us: us,
    cpuUs: us.meta({ description: 'CPU time of all roles per request.' }),
    cpuUsByKind: z.record(z.string(), us),
    waitUs: us.optional().meta({ description: 'Time per request in which roles were runnable without a core.' }),
  })
  .meta({ id: 'cellFigures', description: 'RTT and CPU time of a cell, measured or predicted.' });
export type CellFigures = z.output<typeof cellFigures>;

const parameterSources = ['fitted', 'direct', 'assumed'] as const;

const parameter = z.strictObject({
  name: z.string().meta({ description: 'Path in `demand`, e.g. `operations.send.us`.' }),
  value: z.number(),
  logSd: us.meta({ description: 'Standard deviation of its logarithm; of probabilities, of the logit.' }),
  source: z.enum(parameterSources).meta({
    description:
      '`direct`: read from records of processes. `fitted`: the cells narrow it. `assumed`: the cells say nothing of it, so it has its value and spread from before.',
  }),
});

const fittedCell = z.strictObject({
  factors: factorLevels,
  cores: z.int().min(1),
  heldOut: z.boolean().meta({ description: 'The fit has not seen it.' }),
  repetitions: z.int().min(1),
  rateRps: z.number(),
  hops: z.number().meta({ description: 'Per request.' }),
  busyShare: z.number().meta({ description: 'Of the cores, by roles and generators as measured, 0 to 1.' }),
  turnsPerSecond: z.number().meta({ description: 'Turns of the busiest process.' }),
  foreignPercent: percent.optional(),
  stolenPercent: percent.optional(),
  measured: cellFigures,
  predicted: cellFigures,
});
export type FittedCell = z.output<typeof fittedCell>;

const errors = z.strictObject({
  cells: z.int().min(0),
  medianPercent: z.number().optional(),
  p95Percent: z.number().optional(),
  cpuPercent: z.number().optional(),
});

export const calibrationFit = z
  .strictObject({
    cpuModel: z.string(),
    node: z.string().meta({ description: 'Version of Node.js.' }),
    topoBench: z.string(),
    date: z.iso.datetime(),
    runs: z.array(z.string()).meta({ description: 'Absolute paths of the run folders.' }),
    quietness: z
      .strictObject({
        foreignPercent: percent.meta({ description: 'Use by other programs: the highest of the cells of the fit.' }),
        stolenPercent: percent,
        disturbed: z.boolean().meta({
          description: 'Kept although other programs used more than 10% of the processors: its errors are larger.',
        }),
      })
      .meta({ description: 'What else used the machine.' }),
    parameters: z.array(parameter),
    covariance: z.array(z.array(z.number())).meta({
      description: 'Of the logarithms (logits) of the parameters, in their order.',
    }),
    range: z
      .strictObject({ hops: range, turnsPerSecond: range, busyShare: range })
      .meta({ description: 'What the cells of the fit cover. Intervals widen with the distance from it.' }),
    cells: z.array(fittedCell),
    fitErrors: errors.meta({ description: 'Median of |predicted / measured − 1|, of the cells of the fit.' }),
    heldOutErrors: errors.meta({ description: 'The same, of cells that the fit has not seen.' }),
  })
  .meta({ id: 'calibrationFit', description: 'How the figures were fitted to measured cells.' });
export type CalibrationFit = z.output<typeof calibrationFit>;
export type FitErrors = CalibrationFit['fitErrors'];
