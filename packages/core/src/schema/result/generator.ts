/** The load generators of a repetition, their privileges and their clocks. */
import { z } from 'zod';
import { resourceUse, summary } from './figures.ts';

/** One generator of a load. */
const generatorRecord = z
  .strictObject({
    name: z.string(),
    host: z.string().optional().meta({ description: 'Id of its machine; absent for this one.' }),
    sent: z.int().min(0).meta({ description: 'Requests that it sent.' }),
    cpuPercent: z.number().meta({ description: '100 is one core busy all the time.' }),
    rssBytes: z.number(),
    eventLoopUtilization: z.number().min(0).max(1),
    schedulerLag: summary,
    startLateUs: z.number().meta({
      description: 'How long after the common start instant it began, by its own clock; 0 when it was ready in time.',
    }),
    clock: z
      .strictObject({
        offsetUs: z.number().meta({ description: 'Its clock minus that of this machine, at the start.' }),
        errorUs: z.number().meta({ description: 'Bound on the error of the offset.' }),
        driftUs: z.number().meta({ description: 'Change of the offset during the load.' }),
        driftErrorUs: z.number().meta({ description: 'Bound on the error of the change.' }),
      })
      .optional()
      .meta({ description: 'Absent where both read the same clock.' }),
  })
  .meta({ id: 'generatorRecord', description: 'One load generator of a repetition.' });

export const generatorFigures = z.strictObject({
  realTimePriority: z
    .boolean()
    .meta({ description: 'Whether it had real-time priority, so that a busy host did not delay its requests.' }),
  coresKeptAwake: z
    .boolean()
    .optional()
    .meta({ description: 'Whether cores were kept from sleeping; absent in older results.' }),
  connections: z
    .strictObject({
      opened: z.int().min(0).meta({ description: 'For the whole load, those opened before it included.' }),
      onDemand: z.int().min(0).meta({
        description: 'Those that were opened for a request that was due: its times have the handshake in them.',
      }),
    })
    .optional()
    .meta({ description: 'Connections of the load; absent with driver flight, and in older results.' }),
  startErrorUs: z.number().optional().meta({
    description:
      'Max distance of a generator from the common start instant: error of the alignment of clocks, in µs. Absent in older results.',
  }),
  each: z.array(generatorRecord).optional().meta({
    description: 'The generators one by one; absent for a single one on this machine, and in older results.',
  }),
  hosts: z.record(z.string(), resourceUse).optional().meta({
    description: 'Machines of generators, by id, from the start of the load to its end; without this one.',
  }),
});
