/** The classes of the requests of a repetition: each scheduled request is in exactly one. */
import { z } from 'zod';
import { counts } from './figures.ts';

const count = (description: string) => z.int().min(0).meta({ description });

const series = z.array(z.int().min(0));

export const classesOverTime = z
  .strictObject({
    stepMs: z.number(),
    served: series.meta({ description: 'Answered or refused in time.' }),
    lost: series.meta({ description: 'Lost or late.' }),
    failed: series,
  })
  .meta({
    id: 'classesOverTime',
    description: 'Requests by the time at which they were meant to be sent, in equal steps since the load began.',
  });
export type ClassesOverTime = z.output<typeof classesOverTime>;

export const requestClasses = z
  .strictObject({
    scheduled: count('Requests of the schedule: the sum of all classes, or the repetition is invalid.'),
    answered: count('Completed in time.'),
    refused: count('Refused by a rule, in time.'),
    lost: count('No answer in time: a deadline passed, the connection ended, or still open at the end of the drain.'),
    late: count('Completed or refused after the deadline of a request, counted from the intended send time.'),
    failed: count('Answered with an error, or not sent.'),
    duplicated: count('A service worked on it twice.'),
    stale: count('Decided by an old version of the rules after the change.'),
    torn: count('Decided by two versions of the rules.'),
    undecided: count('Data reached a service without a decision.'),
    lostAt: counts.meta({ description: 'Lost requests, by the part at which each was last seen.' }),
    failedBy: counts.meta({ description: 'Failed requests, by kind of error and hop.' }),
  })
  .meta({ id: 'requestClasses' });
export type RequestClasses = z.output<typeof requestClasses>;
