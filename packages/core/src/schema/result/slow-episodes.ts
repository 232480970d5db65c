/** Episodes of slow requests within a repetition, with their cause where the records name one. */
import { z } from 'zod';

export const episodeCause = z.strictObject({
  kind: z
    .enum([
      'collection',
      'event-loop',
      'foreign-load',
      'processors',
      'cpu-limit',
      'stopped',
      'late-generator',
      'unknown',
    ])
    .meta({
      description:
        '`collection`: garbage collection of the role. `event-loop`: the role worked on something else. `processors`: it waited for a processor. `foreign-load`: so it did, while other programs had 10% of the processors or more. `cpu-limit`: a limit on CPU time stopped it for half of that time or more. `stopped`: it was not runnable, for an unrecorded reason. `late-generator`: the requests left late. `unknown`: nothing that was recorded lasted long enough.',
    }),
  role: z.string().optional().meta({ description: 'Name of the role.' }),
  durationMs: z
    .number()
    .optional()
    .meta({ description: 'How long it lasted while the most delayed request was in progress.' }),
});
export type EpisodeCause = z.output<typeof episodeCause>;

export const slowEpisode = z.strictObject({
  startMs: z.number().meta({ description: 'When its first request was due, since the start of the load.' }),
  endMs: z.number().meta({ description: 'When its last request was answered.' }),
  requests: z.int().min(1).meta({ description: 'Slow requests in it.' }),
  slowestMs: z.number().nullable().meta({ description: 'Max response time; null when one of them never finished.' }),
  cause: episodeCause,
});
export type SlowEpisode = z.output<typeof slowEpisode>;

export const slowRequests = z
  .strictObject({
    limitsMs: z.record(z.string(), z.number()).optional().meta({
      description:
        'By class of requests. A request is slow when its response time is above the limit of its class: the third quartile plus three times the interquartile range in the repetition, and at least twice the median. A class with fewer than 20 requests, or with a quarter of them unfinished, has no limit.',
    }),
    limitMs: z
      .number()
      .optional()
      .meta({ description: 'Limit of all classes together, in results of earlier versions.' }),
    count: z.int().min(0).meta({ description: 'Slow requests, in episodes or alone.' }),
    episodes: z.array(slowEpisode).meta({ description: 'In order of time.' }),
  })
  .meta({ id: 'slowRequests', description: 'Slow requests of a repetition, and their episodes.' });
export type SlowRequests = z.output<typeof slowRequests>;
