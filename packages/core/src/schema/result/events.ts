/** Events of a repetition: when each was asked for, and when it had taken effect. */
import { z } from 'zod';
import { faultKinds } from '../../event-kinds.ts';

const instant = z
  .strictObject({
    atUs: z.number().meta({ description: 'As the experiment states it.' }),
    requestedUs: z.number().optional().meta({ description: 'When it was asked for; absent if it was not.' }),
    effectiveUs: z.number().optional().meta({ description: 'When it had taken effect; absent if it had not.' }),
    error: z.string().optional().meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'eventInstant', description: 'Times since the begin of the load, as the runner saw them.' });
export type EventInstant = z.output<typeof instant>;

export const eventRecord = z
  .strictObject({
    name: z.string().meta({ description: 'Kind and target, e.g. `crash router-1`.' }),
    kind: z.enum(faultKinds),
    roles: z.array(z.string()).meta({ description: 'Names of the affected roles.' }),
    begin: instant,
    end: instant.optional().meta({
      description: 'Restart, or end of the fault. Absent for a role that stays down.',
    }),
  })
  .meta({ id: 'eventRecord' });
export type EventRecord = z.output<typeof eventRecord>;
