/**
 * Events on the clock of a load: parts that fail, and rules that change, while requests run. A list of maps, or a short
 * text for command lines and factor levels: `5s crash router-1 restart 2s; 9s partition eu and us for 2s`.
 */
import { z } from 'zod';
import { duration, type IssueDetails, positiveDuration } from '../quantities.ts';

const crashLaws = ['exponential', 'constant'] as const;
export type CrashLaw = (typeof crashLaws)[number];

const at = duration.meta({ description: 'Time of the event, from the begin of the load.' });
const lasts = positiveDuration.meta({ description: 'How long it lasts. It must end before the load does.' });
const target = z.string().min(1).meta({
  description:
    'A role (`router-1`, one replica as `router-1-2`), a kind of role (`routers`, `services`, `gateway`), all enforcement points (`points`), the enforcement point of a service (`point of svc-2`; the service itself where nothing is enforced), a node, or a region. Several: `points and services`.',
});

const crash = z
  .strictObject({
    at,
    crash: target,
    restart: z.union([z.literal('never'), duration]).meta({
      description:
        'Time from the crash until the role is started again, under the same address and with the same documents, or `never`.',
    }),
  })
  .meta({ description: 'The process ends at once, without a word to its peers.' });

const drawnCrash = z
  .strictObject({
    crash: z
      .strictObject({
        role: target,
        every: z.strictObject({
          law: z.enum(crashLaws),
          mean: duration.meta({ description: 'Mean time from a start of the role to its next crash.' }),
        }),
        down: duration.meta({ description: 'Time from a crash until the role is started again.' }),
      })
      .meta({ description: 'Each role of the target crashes again and again, apart from the others.' }),
  })
  .meta({
    description:
      'Crashes at drawn times: a function of the seed, the repetition and the name of the role. One that would not end before the load does is left out.',
  });

const freeze = z
  .strictObject({ at, freeze: target, for: lasts })
  .meta({ description: 'The process stops, and continues later; its connections stay open.' });

const slow = z
  .strictObject({
    at,
    slow: target,
    delay: duration.meta({ description: 'Waited for before each message that the role sends to another one.' }),
    for: lasts,
  })
  .meta({ description: 'A role sends each message late.' });

const partition = z
  .strictObject({
    at,
    partition: z.array(target).length(2).meta({ description: 'The two sides, usually nodes or regions.' }),
    for: lasts,
    oneWay: z
      .boolean()
      .default(false)
      .meta({ description: 'Only messages from the first side to the second are lost.' }),
  })
  .meta({ description: 'Messages between two sides are lost: their senders wait for answers until the deadline.' });

const rules = z
  .strictObject({
    at,
    rules: z.union([
      z.string().min(1).meta({ description: 'Rule file, relative to the topology.' }),
      z.strictObject({
        set: z
          .record(z.string(), z.unknown())
          .refine((set) => Object.keys(set).length > 0, 'expected at least one field')
          .meta({
            description:
              'Fields of the rules in force by path, e.g. `default: deny` or `rules.eu-data-stays.effect: allow`.',
          }),
      }),
    ]),
  })
  .meta({ description: 'The rules of all enforcement points change, as `enforcement.distribution` states.' });

export const experimentEvent = z.union([crash, drawnCrash, freeze, slow, partition, rules]);
/** Times in µs. */
export type ExperimentEvent = z.output<typeof experimentEvent>;

const noEvent = 'none';

/** `none`, or events separated by `;`. The fields of an event follow its kind, in the words of the list form. */
const eventsText = z
  .string()
  .transform((text, context): ExperimentEvent[] => {
    if (text.trim() === noEvent) return [];
    return text.split(';').flatMap((part) => {
      const read = experimentEvent.safeParse(eventOfText(part.trim()));
      if (read.success) return [read.data];
      const details: IssueDetails = {
        code: 'TB_SCHEMA_INVALID',
        hint: 'write `3s rules rules/v2.yaml`, `5s crash router-1 restart 2s`, `7s freeze svc-3 for 1s`, `8s slow gateway delay 50ms for 2s`, `9s partition eu and us for 2s`, or `none`',
      };
      context.addIssue({
        code: 'custom',
        message: `${JSON.stringify(part.trim())} is no event`,
        params: { ...details },
      });
      return [];
    });
  })
  .meta({ description: 'The same in one line, for command lines and levels of factors; `none` for no event.' });

/** Field names that end the name of a target, which may have several words. */
const fieldNames: ReadonlySet<string> = new Set(['restart', 'for', 'delay', 'oneWay']);

function eventOfText(text: string): Record<string, unknown> {
  const [time, kind = '', ...words] = text.split(/\s+/);
  const end = words.findIndex((word) => fieldNames.has(word));
  const name = words.slice(0, end < 0 ? words.length : end).join(' ');
  const event: Record<string, unknown> = { at: time, [kind]: kind === 'partition' ? name.split(' and ') : name };
  const fields = end < 0 ? [] : words.slice(end);
  while (fields.length > 0) {
    const field = fields.shift() as string;
    event[field] = field === 'oneWay' ? true : fields.shift();
  }
  return event;
}

export const experimentEvents = z.union([z.array(experimentEvent), eventsText]);
