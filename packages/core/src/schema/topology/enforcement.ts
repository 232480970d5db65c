/** Enforcement: its architecture, its rule engine and the style of its hops. */
import { z } from 'zod';
import { architectures, architectureTable, isReplicated } from '../../architectures.ts';
import { limitsOf } from '../limits.ts';
import { duration, positiveDuration, share } from '../quantities.ts';
import { described, namesOf } from './described-names.ts';

export const styles = ['forward', 'nested'] as const;
export type Style = (typeof styles)[number];

/** Rule engines with their descriptions. These names type the registry of the package `rule-engine`. */
const engineTexts = {
  compiled: 'functions built once from the rules',
  'json-rules-engine': 'the library of that name',
};
export type Engine = keyof typeof engineTexts;
export const engines = namesOf(engineTexts);

/** How callers choose among the replicas of an enforcement point. */
const spreadTexts = {
  'round-robin': 'each caller takes them in turn, so that they get equal shares',
  sticky: 'the id of a request chooses, so that all of its calls go to the replica with the same number',
};
export type Spread = keyof typeof spreadTexts;
export const spreads = namesOf(spreadTexts);

const architectureTexts = architectures.map((name) => `\`${name}\`: ${architectureTable[name].description}`).join(' ');
const replicated = architectures.filter((name) => isReplicated(name)).join(', ');
const counted = architectures.filter((name) => architectureTable[name].count === 'routers').join(', ');

const poll = z.strictObject({ poll: positiveDuration });
const pollText = z
  .string()
  .regex(/^poll \S+$/, 'expected push, stream or an interval as in "poll 1s"')
  .transform((text) => ({ poll: text.slice('poll '.length) }))
  .pipe(poll);

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
  replicas: z
    .int()
    .min(1)
    .max(16)
    .default(1)
    .meta({
      description: `Processes of each enforcement point of \`${replicated}\`, on the node of that point and with its rules. The first keeps the name of the point, the next are \`central-entity-2\` or \`router-1-2\`.`,
    }),
  spread: z
    .enum(spreads)
    .default('round-robin')
    .meta({
      description: `How callers choose among replicas. ${described(spreadTexts)}. A branch that returns to the point of its fork goes to the replica that has the fork.`,
    }),
  engine: z
    .enum(engines)
    .default('compiled')
    .meta({ description: `Evaluation of rules, with equal decisions. ${described(engineTexts)}.` }),
  distribution: z
    .union([z.enum(['push', 'stream']), poll, pollText])
    .default('push')
    .meta({
      description:
        'How changed rules reach their enforcement points. `push`: the control side sends them, and each point confirms. `{ poll: 1s }`, as a level of a factor `poll 1s`: each point asks the gateway at this interval. `stream`: each point has a question open at the gateway, which answers when there are new rules.',
    }),
  consistency: z.enum(['eventual', 'versioned']).default('eventual').meta({
    description:
      '`eventual`: a point decides by the rules that it has. `versioned`: the gateway stamps each request with the rules in force, and a point without them waits within the deadline of a hop, then refuses.',
  }),
  failOpen: z.boolean().default(false).meta({
    description:
      'Whether a step passes without a decision where a point has no rules for it, no answer or no time left. Such steps are counted, with the data that the rules would have withheld.',
  }),
  resilience: z
    .strictObject({
      retries: z.int().min(0).max(20).default(0).meta({
        description:
          'How often a role sends a call or a forward again when its receiver cannot be reached. A forward or a call of a user-supplied service is sent again only if its connection was not made. A service works once on each step of a request.',
      }),
      backoff: duration.prefault('100ms').meta({ description: 'Time before each retry.' }),
      retryBudget: share.prefault('20%').meta({
        description:
          'Retries of a role, as a share of its messages to other roles in the last 10 to 20 seconds. Ten more are always allowed.',
      }),
      takeover: z.boolean().default(false).meta({
        description:
          'Whether a point that cannot be reached is replaced while it is down: by its replicas, then by the router after it (the first one after the last). That router has the rules of both.',
      }),
      breaker: z
        .strictObject({
          failures: z.int().min(0).max(1000).default(5).meta({
            description: 'Messages in a row that a peer did not answer, until a role stops sending to it. 0: never.',
          }),
          openFor: positiveDuration.prefault('1s').meta({
            description:
              'Time until one message is sent again. After its answer all others are sent, after its failure none.',
          }),
        })
        .optional()
        .meta({ description: 'A role fails messages to a silent peer at once. Default: it sends all of them.' }),
    })
    .optional()
    .meta({ description: 'Default: no message is sent again, and no other point gets it.' }),
  style: z.enum(styles).default('forward').meta({
    description:
      '`forward`: hops acknowledge and pass on, the last reports to the gateway. `nested`: each answers after the next.',
  }),
  limits: limitsOf('each enforcement point'),
});
