/** The services of a topology, named one by one or generated: their work, and the rules generated for them. */
import { z } from 'zod';
import { engineOf } from '../../persistence.ts';
import { arrowService } from '../arrow.ts';
import { limitsOf } from '../limits.ts';
import { persistence } from '../persistence.ts';
import { duration, name, share, size } from '../quantities.ts';
import { userServiceFields } from '../user-service.ts';

const workKind = z
  .enum(['cpu', 'wait'])
  .default('cpu')
  .meta({ description: '`cpu` burns processor time, `wait` only waits.' });

export const work = z
  .union([
    duration,
    z.strictObject({ law: z.literal('constant').default('constant'), mean: duration, kind: workKind }),
    z.strictObject({ law: z.literal('exponential'), mean: duration, kind: workKind }),
    z.strictObject({
      law: z.literal('lognormal'),
      mean: duration,
      sigma: z.number().positive().max(3).default(0.5).meta({ description: 'Standard deviation of the logarithm.' }),
      kind: workKind,
    }),
  ])
  .transform((value) =>
    typeof value === 'number'
      ? { law: 'constant' as const, meanUs: value, kind: 'cpu' as const }
      : value.law === 'lognormal'
        ? { law: value.law, meanUs: value.mean, sigma: value.sigma, kind: value.kind }
        : { law: value.law, meanUs: value.mean, kind: value.kind },
  )
  .meta({
    id: 'work',
    description: 'Time a service works on a request: a duration (constant, CPU) or a law with its mean.',
  });

/** A law of service time; `meanUs` in µs. */
export type Work = z.output<typeof work>;

export const tags = z
  .array(name)
  .meta({ description: 'Labels for conditions of rules, e.g. `analytics` or `health`.' });

/** Generated rules of one service. */
export const generatedRules = z
  .strictObject({
    generate: z.int().min(0).max(10_000).meta({ description: 'Number of rules.' }),
    match: share.prefault('20%').meta({
      description:
        'Share of these rules that match every request, and allow. The others would deny and never match. No decision depends on them while the default of the rules is `allow`.',
    }),
    seed: z.int().default(1).meta({ description: 'Seed of their conditions.' }),
  })
  .meta({
    description:
      'Rules with seeded conditions, in addition to those of `rules`, so that their number is a factor: `rulesPerService`.',
  });
export type GeneratedRules = z.output<typeof generatedRules>;

const serviceFields = {
  node: name
    .optional()
    .meta({ description: 'Node of the service. Default: services are placed evenly over all nodes.' }),
  work: work.optional(),
  responseSize: size
    .optional()
    .meta({ description: 'Bytes of the answer of the service, without the digests of its input.' }),
  tags: tags.optional(),
  limits: limitsOf('the service').meta({
    description:
      'Limits of CPU time and memory of the service, in place of those of `defaults`; applied by container runners.',
  }),
  rules: generatedRules.optional(),
  persistence: persistence.optional(),
  role: z
    .enum(['service', 'alternative'])
    .optional()
    .meta({ description: '`alternative`: stands outside the flow; reached only when a rule reroutes to it.' }),
};

export const explicitService = z
  .strictObject({
    name,
    ...serviceFields,
    ...userServiceFields,
    arrow: arrowService.optional(),
  })
  .superRefine(({ arrow, persistence }, context) => {
    if (!arrow?.flight?.sql) return;
    const engine = persistence && engineOf(persistence);
    if (engine === 'postgresql') return;
    const message = `expected \`persistence\` on postgresql with \`sql\`, got ${engine ?? 'none'}`;
    context.addIssue({ code: 'custom', path: ['arrow', 'flight', 'sql'], message });
  });
export const generatedServices = z.strictObject({
  generate: z.int().min(1).max(1000).meta({ description: 'Number of services.' }),
  prefix: name.default('svc').meta({ description: 'They are named prefix-1, prefix-2, …' }),
  work: serviceFields.work,
  responseSize: serviceFields.responseSize,
  tags: serviceFields.tags,
  limits: serviceFields.limits,
  rules: serviceFields.rules,
});
