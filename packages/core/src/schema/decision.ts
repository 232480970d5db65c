/** The document that `topo-bench decide --json` prints. */
import { z } from 'zod';
import { confirmationFile } from './confirmation.ts';

const level = z.union([z.string(), z.number(), z.boolean()]);
const { premises, thresholds } = confirmationFile.shape;

const option = z.strictObject({
  level,
  enforces: z.boolean().meta({ description: 'False for a baseline without rules.' }),
  shownLowestIn: z.int().meta({ description: 'Settings in which its median is shown to be the lowest.' }),
  medianUs: z
    .number()
    .nullable()
    .meta({ description: 'Geometric mean of its medians over the settings, µs; null where one is missing.' }),
  arguments: z.array(
    z.strictObject({
      tone: z.enum(['good', 'neutral', 'bad']),
      text: z.string().meta({ description: 'A clause with its figures and intervals.' }),
    }),
  ),
});

export const decisionDocument = z
  .strictObject({
    record: z.string().meta({ description: 'Path of the record.' }),
    confirmation: z.string().meta({ description: 'Path of the file for `topo-bench confirm`.' }),
    factor: z.string().meta({ description: 'Factor whose levels are the options.' }),
    chosen: level,
    byHand: z.boolean().meta({ description: 'The choice is not the option that the comparison shows to be best.' }),
    best: level.nullable().meta({ description: 'The option that is shown to be best; null: no difference shown.' }),
    settings: z.int().meta({ description: 'Settings of the other factors.' }),
    source: z.enum(['measured', 'simulated', 'both']),
    simulation: z.string().nullable().meta({ description: 'What simulated figures stand for; null without any.' }),
    validity: z.string().meta({ description: 'How many repetitions are valid, in words.' }),
    answer: z.array(z.string()).meta({ description: 'The answer of the runs, the most important sentence first.' }),
    options: z.array(option),
    sensitivity: z.array(z.string()).meta({ description: 'Where the order of two options changes, computed only.' }),
    premises,
    thresholds,
    commands: z.array(z.string()).meta({ description: 'Commands that repeat the figures.' }),
  })
  .meta({ title: 'topo-bench decision', description: 'What `topo-bench decide --json` prints.' });
export type DecisionDocument = z.output<typeof decisionDocument>;
