/**
 * The file next to a decision record that confirms it: the experiment to measure again, its thresholds, and premises
 * of the decision.
 */
import { z } from 'zod';
import { name } from './quantities.ts';

const level = z.union([z.string(), z.number(), z.boolean()]);

/** What a premise is about, with its description. */
export const premiseTexts = {
  rate: 'Requests per second.',
  services: 'Services that a request passes.',
  rules: 'Rules of the rule file.',
  rulesPerService: 'Rules that can apply to one service: the largest number of all services.',
  linkDelayMs: 'Longest delay of a link between two nodes, ms.',
} as const;
export type PremiseName = keyof typeof premiseTexts;
export const premiseNames = Object.keys(premiseTexts) as PremiseName[];

const premise = z
  .strictObject({
    min: z.number().min(0).optional().meta({ description: 'Smallest value; absent: any.' }),
    max: z.number().min(0).optional().meta({ description: 'Largest value; absent: any.' }),
    from: z.enum(['files', 'metrics']).meta({
      description:
        '`files`: the experiment, its topology and its rules as they are now. `metrics`: the file that `--metrics` names.',
    }),
    metric: z.string().min(1).optional().meta({
      description: 'Name in the metrics file, with labels where several series have it; default: the premise.',
    }),
  })
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'expected min, max or both')
  .refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, 'expected min to be at most max')
  .meta({ id: 'premise', description: 'Range within which the decision was made.' });
export type Premise = z.output<typeof premise>;

const premises = z.strictObject(
  Object.fromEntries(
    premiseNames.map((one) => [one, premise.optional().meta({ description: premiseTexts[one] })]),
  ) as Record<PremiseName, z.ZodOptional<typeof premise>>,
);
export type Premises = z.output<typeof premises>;

export const confirmationFile = z
  .strictObject({
    $schema: z.string().optional(),
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Confirmation'),
    name,
    record: z.string().optional().meta({ description: 'Path of the decision record, relative to this file.' }),
    experiment: z.string().meta({ description: 'Path of the experiment that is measured, relative to this file.' }),
    set: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'Fields of experiment or topology with other values, as `--set`.' }),
    only: z
      .record(z.string(), z.array(z.string()).min(1))
      .default({})
      .meta({ description: 'Levels of factors to keep, as `--only`.' }),
    factor: z.string().default('architecture').meta({ description: 'Factor whose levels are the options.' }),
    chosen: level.meta({ description: 'Level that was chosen; the candidate of the gate.' }),
    alternative: level.meta({ description: 'Level that it is compared with; the baseline of the gate.' }),
    source: z
      .enum(['measured', 'simulated'])
      .default('measured')
      .meta({ description: 'Where the figures of the decision came from.' }),
    premises: premises.prefault({}).meta({ description: 'Ranges within which the decision was made.' }),
    thresholds: z.array(z.string()).min(1).meta({
      description: 'Thresholds as of a gate. Changes in percent are those of `chosen` against `alternative`.',
    }),
  })
  .meta({
    title: 'topo-bench confirmation',
    description: 'What `topo-bench confirm` checks: premises and thresholds of a decision.',
  });

export type Confirmation = z.output<typeof confirmationFile>;
/** As written. */
export type ConfirmationInput = z.input<typeof confirmationFile>;
