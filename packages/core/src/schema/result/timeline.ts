/** What happened when within a repetition: use of processors and event loops over time, pauses and stalls. */
import { z } from 'zod';

/** JSON has no NaN: an interval without readings is null. */
const values = z.array(z.number().nullable());

const roleSeries = z.strictObject({
  cpuPercent: values.meta({ description: 'Sum over its processes; 100 is one core busy all the time.' }),
  busyShare: values.meta({
    description: 'Share of the time in which the event loop did not wait for events, 0 to 1; highest of the processes.',
  }),
  delayMs: values.optional().meta({
    description:
      'Max delay of a timer that wakes every 50 ms while there are requests: how long an event waited for its turn; highest of the processes. Of the generator: max scheduler lag.',
  }),
  throttledMs: values.optional().meta({
    description:
      'Time that a limit on CPU time stopped its threads, of the process with most of it; absent without a limit.',
  }),
});

const timelineEvent = z.strictObject({
  role: z.string().meta({ description: 'Name of the role.' }),
  kind: z.enum(['minor-collection', 'major-collection', 'busy', 'waiting', 'stopped', 'delayed']).meta({
    description:
      'Collections: pauses of the main thread for garbage collections of 1 ms or more. Others: the event loop took no events for 5 ms or more, because its thread was `busy`, `waiting` for a processor, or `stopped` and not runnable; `delayed` where the system does not report which. A process with 20 requests per second or more notices each wait for a processor and each stall of 55 ms, others by chance.',
  }),
  atMs: z.number().meta({ description: 'Start, since the start of the load.' }),
  durationMs: z.number().meta({ description: 'Stalls: a lower bound, at most 50 ms too short.' }),
  withinMs: z.number().optional().meta({
    description: 'The event lies somewhere in so much time from its start; absent where that is its duration.',
  }),
});
export type CellTimelineEvent = z.output<typeof timelineEvent>;

export const cellTimeline = z
  .strictObject({
    intervalMs: z.number().meta({
      description:
        'Length of an interval. The first one starts with the load. Where cells take turns, one turn of each: CPU and busy shares are of the own turns.',
    }),
    roles: z.record(z.string(), roleSeries).meta({ description: 'By kind of role, plus `generator`.' }),
    host: z
      .strictObject({
        busyPercent: values.meta({ description: 'Of the cores that topo-bench may use.' }),
        foreignPercent: values.optional().meta({
          description:
            'Of the same cores, by programs other than topo-bench and its services. Absent where they cannot be distinguished.',
        }),
      })
      .optional()
      .meta({ description: 'This host; absent where the system has no such figures.' }),
    events: z.array(timelineEvent).meta({ description: 'In order of time; the longest ones only if there are many.' }),
    eventsLeftOut: z.int().min(1).optional().meta({ description: 'Shorter events that are not stored.' }),
    clockErrorMs: z.number().meta({
      description: 'Max error of the alignment of the clocks of roles with that of the load.',
    }),
  })
  .meta({ id: 'cellTimeline', description: 'Use of processors and event loops over a repetition.' });
export type CellTimeline = z.output<typeof cellTimeline>;
