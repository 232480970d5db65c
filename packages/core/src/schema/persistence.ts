/** The field `persistence` of a service in a topology: the data that it keeps, and the store. */
import { z } from 'zod';
import { enginesOf, itemEngines, storeConfigurations } from '../persistence.ts';
import { duration, name } from './quantities.ts';

/** Fields of an item that can have a category of data. */
const itemFields = ['customer', 'status', 'createdAt', 'currency', 'totalCents', 'lines', 'address', 'note'] as const;

const defaults = storeConfigurations.map((store) => ({ store, engine: enginesOf[store][0] }));
const defaultEngines = itemEngines
  .map((engine) => ({ engine, stores: defaults.filter((one) => one.engine === engine).map(({ store }) => store) }))
  .filter(({ stores }) => stores.length > 0)
  .map(({ engine, stores }) => `${engine} for ${stores.join(', ')}`)
  .join('; ');

export const persistence = z
  .strictObject({
    store: z.enum(storeConfigurations).meta({
      description:
        'Form of the data: tables with or without indexes of the queried fields, documents, tables with documents inside, or keys with values.',
    }),
    engine: z
      .enum(itemEngines)
      .optional()
      .meta({ description: `Database by its protocol. Default: ${defaultEngines}.` }),
    url: z.string().min(1).optional().meta({
      description:
        'Connection string of a server of your own, with a user who may create databases. `--postgres-url` and TOPO_BENCH_POSTGRES_URL (and those of the other engines) override it, and it overrides the embedded server.',
    }),
    image: z
      .string()
      .min(1)
      .optional()
      .meta({
        description:
          'Container image of a server that topo-bench starts for the run, with the variables of the official image. It overrides a server on this machine; a connection string overrides it.',
        examples: ['postgres:17', 'mongo:8', 'mariadb:11', 'redis:7'],
      }),
    region: name.optional().meta({
      description:
        'Region of the store: for rules about writes the region of the target. Default: the region of the service.',
    }),
    rows: z
      .int()
      .min(0)
      .max(10_000_000)
      .default(100_000)
      .meta({ description: 'Items at the start, the same ones every time.' }),
    seed: z.int().default(1).meta({ description: 'Of these items.' }),
    pool: z.int().min(1).max(1000).default(20).meta({ description: 'Connections of the service to its store.' }),
    queue: z
      .int()
      .min(1000)
      .max(1_000_000)
      .default(10_000)
      .meta({ description: 'Max operations that wait for a connection, first in first out; beyond: 503 at once.' }),
    wait: duration.prefault('60s').meta({ description: 'Max wait for a connection; beyond: 503.' }),
    timeout: duration.prefault('30s').meta({ description: 'Max time at the store; beyond: 503.' }),
    categories: z
      .partialRecord(z.enum(itemFields), name)
      .default({ customer: 'personal', address: 'personal' })
      .meta({ description: 'Category of data by field of an item; rules about a write see those of its fields.' }),
  })
  .superRefine(({ store, engine }, context) => {
    if (engine === undefined || enginesOf[store].includes(engine)) return;
    const message = `expected ${enginesOf[store].join(' or ')} for the store ${store}, got ${engine}`;
    context.addIssue({ code: 'custom', path: ['engine'], message });
  })
  .meta({ id: 'persistence', description: 'Gives the service data of its own, behind `/items`.' });

/** Durations in µs. */
export type Persistence = z.output<typeof persistence>;
