/** The topology file: nodes, services, flow, requests and enforcement. */
import { z } from 'zod';
import { architectures, architectureTable } from '../architectures.ts';
import { engineOf } from '../persistence.ts';
import { arrowService } from './arrow.ts';
import { persistence } from './persistence.ts';
import { duration, name, size } from './quantities.ts';
import { userServiceFields } from './user-service.ts';

export const styles = ['forward', 'nested'] as const;
export const placements = ['blocks', 'round-robin'] as const;

export type Style = (typeof styles)[number];
export type Placement = (typeof placements)[number];

/** Rule engines with their descriptions. These names type the registry of the package `rule-engine`. */
const engineTexts = {
  compiled: 'functions built once from the rules',
  'json-rules-engine': 'the library of that name',
};
export type Engine = keyof typeof engineTexts;
export const engines = namesOf(engineTexts);

/** HTTP frameworks with their descriptions. These names type the registry of the package `services`. */
const frameworkTexts = { fastify: 'Fastify', express: 'Express', node: '`node:http` alone' };
export type Framework = keyof typeof frameworkTexts;
export const frameworks = namesOf(frameworkTexts);

function namesOf<Name extends string>(texts: Readonly<Record<Name, string>>): [Name, ...Name[]] {
  return Object.keys(texts) as [Name, ...Name[]];
}

function described(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `\`${name}\`: ${text}`)
    .join('; ');
}

const positiveDuration = duration.refine((us) => us > 0, 'expected more than nothing, e.g. 5s');

const workKind = z
  .enum(['cpu', 'wait'])
  .default('cpu')
  .meta({ description: '`cpu` burns processor time, `wait` only lets time pass.' });

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

const tags = z.array(name).meta({ description: 'Labels for conditions of rules, e.g. `analytics` or `health`.' });

const serviceFields = {
  node: name
    .optional()
    .meta({ description: 'Node of the service. Default: services are placed evenly over all nodes.' }),
  work: work.optional(),
  responseSize: size
    .optional()
    .meta({ description: 'Bytes of the answer of the service, without the digests of its input.' }),
  tags: tags.optional(),
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
});

/** A flow: names in order; a list inside runs its members in parallel; a list inside that is a series again. */
export type FlowItem = string | FlowItem[];
export const flowItem: z.ZodType<FlowItem> = z
  .lazy(() => z.union([name, z.array(flowItem).min(1)]))
  .meta({ id: 'flowItem' });

export const payloadField = z.strictObject({
  category: name.meta({ description: 'Category of data: personal, health, payment, … or `none`.' }),
  size: size.prefault('32B').meta({ description: 'Bytes of the generated value.' }),
});

export const requestClass = z.strictObject({
  name,
  weight: z.number().positive().default(1).meta({ description: 'Relative share of the requests.' }),
  origin: z
    .union([name, z.record(name, z.number().positive())])
    .meta({ description: 'Region of origin, or regions with their weights.' }),
  purpose: name.default('contract').meta({ description: 'Purpose of the processing, for conditions of rules.' }),
  consents: z
    .union([z.array(name), z.record(name, z.number().min(0).max(1))])
    .default([])
    .meta({ description: 'Consents of the data subject: a list, or each with the probability that it was given.' }),
  payload: z
    .record(name, payloadField)
    .default({})
    .meta({ description: 'Fields of the payload by name. The categories of the request are those of its fields.' }),
});
export type RequestClass = z.output<typeof requestClass>;

/** Used when a topology has no request classes. */
export const defaultRequestClasses: z.input<typeof requestClass>[] = [
  {
    name: 'order',
    origin: 'eu',
    consents: [],
    payload: { customer: { category: 'personal', size: '48B' }, items: { category: 'none', size: '128B' } },
  },
];

const architectureTexts = architectures.map((name) => `\`${name}\`: ${architectureTable[name].description}`).join(' ');
const counted = architectures.filter((name) => architectureTable[name].count === 'routers').join(', ');

export const enforcement = z.strictObject({
  architecture: z
    .enum(architectures)
    .default(architectures[0])
    .meta({
      description: `Enforcement architecture: the process that decides before a service gets data. ${architectureTexts}`,
    }),
  routers: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .meta({
      description: `k of \`${counted}\`; at most as many as there are services, alternatives included, take effect. A node without services gets none.`,
    }),
  engine: z
    .enum(engines)
    .default('compiled')
    .meta({ description: `Evaluation of rules, with equal decisions. ${described(engineTexts)}.` }),
  style: z.enum(styles).default('forward').meta({
    description:
      '`forward`: hops acknowledge and pass on, the last reports to the gateway. `nested`: each answers after the next.',
  }),
});

export const deadlines = z.strictObject({
  hop: positiveDuration.prefault('5s').meta({ description: 'Max time until a hop has answered.' }),
  request: positiveDuration.prefault('60s').meta({
    description:
      'Max time until the gateway gives up a request (504); it counts as unfinished. No shorter than the drain.',
  }),
});

export const link = z.strictObject({
  from: name.meta({ description: 'A region or a node.' }),
  to: name.meta({ description: 'A region or a node.' }),
  delay: duration.meta({
    description: 'One way. No crossing is shorter; most are less than 0.5 ms longer on a quiet host.',
  }),
  jitter: duration.prefault('0ms').meta({
    description: 'The delay of each crossing is drawn uniformly from delay − jitter to delay + jitter.',
  }),
});

export const node = z.strictObject({
  name,
  region: name.meta({ description: 'Region of the node, e.g. `eu`, for rules and links.' }),
  services: z
    .boolean()
    .default(true)
    .meta({ description: '`false` keeps services off it, e.g. on a node for the gateway alone.' }),
});

export const topologyFile = z
  .strictObject({
    $schema: z.string().optional().meta({ description: 'Address of this schema, for editors.' }),
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Topology'),
    name,
    nodes: z
      .array(node)
      .min(1)
      .prefault([{ name: 'node-1', region: 'eu' }])
      .meta({ description: 'Machines, real or simulated, with their regions.' }),
    links: z.array(link).default([]).meta({ description: 'Network delay between regions or nodes, both ways.' }),
    gateway: z
      .strictObject({ node: name.optional() })
      .default({})
      .meta({ description: 'Node of the gateway and the central entity; the first node when left out.' }),
    defaults: z
      .strictObject({ work: work.prefault('100us'), responseSize: size.prefault('256B'), tags: tags.default([]) })
      .prefault({})
      .meta({ description: 'Defaults of services.' }),
    framework: z
      .enum(frameworks)
      .default('fastify')
      .meta({ description: `HTTP framework of every role. ${described(frameworkTexts)}.` }),
    placement: z.enum(placements).default('blocks').meta({
      description:
        'Placement of services without a node: `blocks` keeps neighbours together, `round-robin` alternates.',
    }),
    services: z.array(z.union([explicitService, generatedServices])).min(1),
    flow: z
      .union([z.literal('chain'), z.array(flowItem).min(1)])
      .default('chain')
      .meta({ description: '`chain`: all services in file order. Or a list; an inner list runs in parallel.' }),
    requests: z.strictObject({ classes: z.array(requestClass).min(1).prefault(defaultRequestClasses) }).prefault({}),
    rules: z.string().optional().meta({ description: 'Path of the rule file, relative to this file.' }),
    enforcement: enforcement.prefault({}),
    deadlines: deadlines.prefault({}),
  })
  .meta({ title: 'topo-bench topology', description: 'Services, nodes, flow, requests and enforcement.' });

/** A topology file as written, before parsing. */
export type TopologyInput = z.input<typeof topologyFile>;
/** A parsed topology with defaults; durations in µs, sizes in bytes. */
export type TopologyFile = z.output<typeof topologyFile>;
