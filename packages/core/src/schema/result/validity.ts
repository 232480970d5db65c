/** The verdict on a repetition: whether it is valid, the reasons where it is not, and remarks. */
import { z } from 'zod';
import { us } from './figures.ts';

/** Why a repetition is not compared. `reasonText` of `results` makes a sentence of it. */
export const validityReason = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('late'),
      p99Us: us,
      medianUs: us.meta({ description: 'Smallest median of the cells that are compared.' }),
      stolenPercent: z.number().optional(),
      meanUs: us
        .optional()
        .meta({ description: 'Cells in turns: mean lag above a quarter of the time between two requests.' }),
      differsByUs: us.optional().meta({ description: 'Cells in turns: difference of two mean lags above its limit.' }),
    }),
    z.strictObject({ kind: z.literal('late-generator'), generator: z.string(), lateUs: us, limitUs: us }),
    z.strictObject({ kind: z.literal('late-second'), second: z.int(), sent: z.int(), scheduled: z.int() }),
    z.strictObject({ kind: z.literal('unsent'), sent: z.int(), scheduled: z.int() }),
    z.strictObject({ kind: z.literal('empty') }),
    z.strictObject({ kind: z.literal('generator-bound'), busyShare: z.number() }),
    z.strictObject({ kind: z.literal('in-flight-cap'), cap: z.int(), refused: z.int() }),
    z.strictObject({ kind: z.literal('wrong-decisions'), count: z.int() }),
    z.strictObject({
      kind: z.literal('errors'),
      errors: z.int(),
      requests: z.int(),
      maxShare: z.number(),
      kinds: z.record(z.string(), z.int()).optional().meta({ description: 'Errors by kind.' }),
    }),
    z.strictObject({
      kind: z.literal('died'),
      roles: z.array(z.string()),
      userService: z.literal(true).optional().meta({ description: 'A service of the user ended by itself.' }),
    }),
    z.strictObject({ kind: z.literal('wrong'), examples: z.array(z.string()) }),
    z.strictObject({ kind: z.literal('not-measured'), message: z.string(), code: z.string() }),
    z.strictObject({ kind: z.literal('study'), text: z.string() }).meta({ description: 'Found by the kind of study.' }),
  ])
  .meta({ id: 'validityReason', description: 'Times in µs, shares as fractions.' });
export type ValidityReason = z.output<typeof validityReason>;

const lagLimit = z.strictObject({
  p99Us: us,
  meanUs: us,
  differenceUs: us.optional().meta({
    description: 'Cells in turns: limit of the difference between the mean lags of two of them.',
  }),
  differsByUs: us.optional().meta({
    description: 'Largest such difference of this cell that is above three standard errors; 0 without one.',
  }),
});
export type LagLimit = z.output<typeof lagLimit>;

export const validity = z.strictObject({
  valid: z.boolean(),
  reasons: z.array(z.string()).meta({ description: 'Reasons not to compare the repetition; empty when valid.' }),
  why: z.array(validityReason).optional().meta({
    description: 'The same reasons as data, in their order. Absent in older results and when valid.',
  }),
  flags: z.array(z.string()).meta({
    description:
      'Remarks on a valid repetition: host-saturated (the host was idle for less than 5%, and most of the rest was ours), foreign-load (other programs had 10% of the processors or more), cpu-throttled (a limit on CPU time stopped a service), stolen (a hypervisor gave 1% or more to other machines), cold, unfinished, generator-limited, overlap, open-service (a user-supplied service takes calls without its token), new-connections (of `load`: more than 2% of the requests waited for a new connection), late (requests left later than a cell measured alone allows: of `load --find-max`, where the condition holds with the largest lag added; of cells in turns, where all of them were as late, and response times are not compared).',
  }),
  onlyLate: z.literal(true).optional().meta({
    description:
      'Invalid for late requests alone, not for lack of a free core: `run` may measure the repetition again.',
  }),
  overload: z.literal(true).optional().meta({
    description:
      'The system did not bear the load: too many open or failed requests. All reasons follow from that, except for the scheduler lag. Absent in older results.',
  }),
  lagLimit: lagLimit.optional().meta({
    description:
      'Requests left too late where the 99th percentile of `schedulerLag` is above it, and the mean or, in turns, the difference of two means is too. The same for all repetitions of a round that are compared with one another. Absent in older results and where nothing is scheduled.',
  }),
});
export type Validity = z.output<typeof validity>;
