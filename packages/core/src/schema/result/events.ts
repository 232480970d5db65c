/** Events of a repetition: when each was asked for, and when it had taken effect. */
import { z } from 'zod';
import { faultKinds } from '../../event-kinds.ts';
import { us } from './figures.ts';

const instant = z
  .strictObject({
    atUs: z.number().meta({ description: 'As the experiment states it.' }),
    requestedUs: z.number().optional().meta({ description: 'When it was asked for; absent if it was not.' }),
    effectiveUs: z.number().optional().meta({ description: 'When it had taken effect; absent if it had not.' }),
    error: z.string().optional().meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'eventInstant', description: 'Times since the begin of the load, as the runner saw them.' });
export type EventInstant = z.output<typeof instant>;

/** Absent times: nothing happened that they measure. */
const eventEffects = z
  .strictObject({
    lost: z.int().min(0),
    failed: z.int().min(0),
    late: z.int().min(0),
    takenOver: z.int().min(0).optional().meta({
      description: 'Steps that another point decided in place of one of its roles; absent without takeover.',
    }),
    detectedUs: us.optional().meta({
      description: 'Until the first client had an error because of it; absent where none had one.',
    }),
    firstSuccessUs: us.optional().meta({
      description:
        'Until the first answer to a request that was sent after it and needs one of its roles; "Infinity" where there was none.',
    }),
    recoveredUs: us.optional().meta({
      description:
        'Until the first second of requests of which as large a share was served as in the minute before it, or in the load until then; "Infinity" where that never came.',
    }),
  })
  .meta({
    id: 'eventEffects',
    description:
      'Requests that were open during the event and were not served, by class, and times since the event was asked for.',
  });
export type EventEffects = z.output<typeof eventEffects>;

export const eventRecord = z
  .strictObject({
    name: z.string().meta({ description: 'Kind and target, e.g. `crash router-1`.' }),
    kind: z.enum([...faultKinds, 'rules']),
    roles: z.array(z.string()).meta({ description: 'Names of the affected roles.' }),
    begin: instant,
    end: instant.optional().meta({
      description: 'Restart, or end of the fault. Absent for a role that stays down.',
    }),
    drawn: z.literal(true).optional().meta({ description: 'At a drawn time, which differs between repetitions.' }),
    expected: z.number().min(0).optional().meta({
      description: 'Of a crash: requests that are not served by the model of the page on crash studies.',
    }),
    effects: eventEffects.optional(),
  })
  .meta({ id: 'eventRecord' });
export type EventRecord = z.output<typeof eventRecord>;
