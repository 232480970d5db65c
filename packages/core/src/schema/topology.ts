/** The topology file: nodes, services, flow, requests and enforcement. */
import { z } from 'zod';
import { limitsOf } from './limits.ts';
import { duration, name, size } from './quantities.ts';
import { described, namesOf } from './topology/described-names.ts';
import { enforcement } from './topology/enforcement.ts';
import { defaultRequestClasses, requestClass } from './topology/requests.ts';
import { explicitService, generatedRules, generatedServices, tags, work } from './topology/services.ts';

export { type Engine, engines, type Spread, type Style, spreads, styles } from './topology/enforcement.ts';
export { type RequestClass, requestClass } from './topology/requests.ts';
export type { GeneratedRules, Work } from './topology/services.ts';

/** HTTP frameworks with their descriptions. These names type the registry of the package `services`. */
const frameworkTexts = { fastify: 'Fastify', express: 'Express', node: '`node:http` alone' };
export type Framework = keyof typeof frameworkTexts;
export const frameworks = namesOf(frameworkTexts);

export const placements = ['blocks', 'round-robin'] as const;

const gatewayCounts = ['one', 'per region'] as const;

export type Placement = (typeof placements)[number];

/** A flow: names in order; a list inside runs its members in parallel; a list inside that is a series again. */
export type FlowItem = string | FlowItem[];
const flowItem: z.ZodType<FlowItem> = z.lazy(() => z.union([name, z.array(flowItem).min(1)])).meta({ id: 'flowItem' });

const positiveDuration = duration.refine((us) => us > 0, 'expected more than nothing, e.g. 5s');

const deadlines = z.strictObject({
  hop: positiveDuration.prefault('5s').meta({ description: 'Max time until a hop has answered.' }),
  request: positiveDuration.prefault('60s').meta({
    description:
      'Max time until the gateway gives up a request (504); it counts as unfinished. No shorter than the drain.',
  }),
});

const link = z.strictObject({
  from: name.meta({ description: 'A region or a node.' }),
  to: name.meta({ description: 'A region or a node.' }),
  delay: duration.meta({
    description: 'One way. No crossing is shorter; most are less than 0.5 ms longer on a quiet host.',
  }),
  jitter: duration.prefault('0ms').meta({
    description: 'The delay of each crossing is drawn uniformly from delay − jitter to delay + jitter.',
  }),
});

const node = z.strictObject({
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
      .strictObject({
        node: name
          .optional()
          .meta({ description: 'Node of the (first) gateway and the central entity; the first node when left out.' }),
        limits: limitsOf('the gateway'),
      })
      .prefault({})
      .meta({ description: 'Node and limits of the gateway.' }),
    gateways: z.enum(gatewayCounts).default('one').meta({
      description:
        '`one`: all requests enter at one gateway. `per region`: each region has a gateway, on `gateway.node` or on its first node, and requests enter at that of their `origin`. Other origins enter at the one on `gateway.node`.',
    }),
    defaults: z
      .strictObject({
        work: work.prefault('100us'),
        responseSize: size.prefault('256B'),
        tags: tags.default([]),
        limits: limitsOf('each service'),
        rules: generatedRules.optional(),
      })
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
