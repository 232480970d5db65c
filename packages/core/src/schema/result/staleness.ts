/** What was decided by old rules while the rules of a deployment changed under load. */
import { z } from 'zod';
import { counts, us } from './figures.ts';

const count = (description: string) => z.int().min(0).meta({ description });

const staleFigures = z
  .strictObject({
    requests: count('Requests with such a decision.'),
    decisions: count('Decisions by an older version.'),
    letThrough: count('Those that let data through which the newer rules refuse.'),
    refused: count('Those that refused data which the newer rules allow.'),
    exposedBytes: counts.meta({ description: 'Bytes that they let through, by category of data.' }),
    t50Us: us.optional().meta({ description: 'Median time from the instant until the request was sent.' }),
    t99Us: us.optional(),
    lastUs: us.meta({ description: 'Time from the instant until the last such request was sent; 0 without any.' }),
  })
  .meta({
    id: 'staleFigures',
    description: 'Decisions by old rules for requests that were sent after an instant of the change.',
  });
export type StaleFigures = z.output<typeof staleFigures>;

export const undecidedSteps = z
  .strictObject({
    requests: count('Requests with such a step.'),
    steps: count('Steps that passed without a decision.'),
    exposedBytes: counts.meta({ description: 'Bytes that the rules would have withheld, by category of data.' }),
  })
  .meta({ id: 'undecidedSteps' });
export type UndecidedFigures = z.output<typeof undecidedSteps>;

export const takenOverSteps = z
  .strictObject({
    requests: count('Requests with such a step.'),
    steps: count('Steps that another enforcement point decided, because that of the service could not be reached.'),
  })
  .meta({ id: 'takenOverSteps' });

export const staleness = z
  .strictObject({
    versions: z
      .array(
        z.strictObject({
          digest: z.string().meta({ description: 'Version of the rule set: a digest of its canonical form.' }),
          confirmedAfterUs: us.optional().meta({
            description: 'From the request of the change until its last confirmation; absent if it never came.',
          }),
          lastUs: us.meta({
            description: 'From the request of the change until the last request was sent that older rules decided.',
          }),
        }),
      )
      .meta({ description: 'Changes in the order of their times.' }),
    points: z
      .array(
        z.strictObject({
          name: z.string(),
          sinceUs: z.array(us.nullable()).meta({
            description:
              'By version from 0: send time since the begin of the load of the first request that it decided by that version; null where it decided none.',
          }),
        }),
      )
      .optional()
      .meta({ description: 'Enforcement points with the versions by which they decided. Replicas are one point.' }),
    sinceConfirmed: staleFigures,
    sinceAsked: staleFigures,
    torn: count('Requests that several versions decided.'),
  })
  .meta({ id: 'staleness' });
export type Staleness = z.output<typeof staleness>;
