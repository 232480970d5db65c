/** The field `access` of an experiment: a whole table is read from a store to a client, over one of several paths. */
import { duration } from '@topo-bench/core/schema/quantities';
import { z } from 'zod';

/** From the client that reads by itself to the path with the most layers, then the columnar path. */
export const accessVariants = [
  'native',
  'connector-process',
  'connector-container',
  'connector-pod',
  'flight-process',
  'flight-container',
  'flight-pod',
  'columnar',
  'columnar-process',
  'columnar-container',
  'columnar-pod',
] as const;
export type AccessVariant = (typeof accessVariants)[number];

export const accessSources = ['postgresql', 'mongodb', 'parquet'] as const;
export type AccessSource = (typeof accessSources)[number];

const accessQueries = ['all', 'one-row'] as const;

const accessCompressions = ['none', 'lz4', 'zstd'] as const;

/** Data of the user, in place of the generated table. */
const ownData = z
  .strictObject({
    table: z.string().min(1).optional().meta({ description: 'PostgreSQL: name of a table, e.g. `shop.sales`.' }),
    query: z.string().min(1).optional().meta({ description: 'PostgreSQL: a SELECT, without a semicolon at its end.' }),
    collection: z.string().min(1).optional().meta({ description: 'MongoDB: `database.collection`.' }),
    file: z.string().min(1).optional().meta({
      description: 'Path of a Parquet file, relative to the working directory of topo-bench.',
    }),
    dat: z.string().min(1).optional().meta({
      description:
        'Path of a `.dat` file of dsdgen with rows of `store_sales`, relative to the working directory of topo-bench. It is loaded into each source, as the generated table is.',
    }),
  })
  .refine(
    (fields) => Object.keys(fields).length === 1,
    'expected one of `table`, `query`, `collection`, `file` and `dat`',
  )
  .refine(({ collection }) => collection === undefined || collection.includes('.'), {
    path: ['collection'],
    message: 'expected `database.collection`',
  });

export const access = z
  .strictObject({
    variant: z.enum(accessVariants).default('native').meta({
      description:
        '`native`: the client reads with the driver of the store. `connector-…`: a connector of the Airbyte protocol reads, as a child process, in a container or in a pod, and sends JSON lines. `flight-…`: next to it a server turns its rows into Arrow record batches and serves them over Flight. `columnar`: the client reads columns from the store on. `columnar-…`: a server does so, and serves them to the client over Flight.',
    }),
    source: z.enum(accessSources).default('postgresql'),
    rows: z.int().min(1).max(100_000_000).default(100_000).meta({
      description: 'Rows of the generated table `store_sales` (TPC-DS, 23 columns). Not for `own` data.',
    }),
    query: z.enum(accessQueries).default('all').meta({
      description:
        '`all`: reads the table. `one-row`: reads its first row, which shows the cost of the layers themselves.',
    }),
    batchRows: z.int().min(1).max(1_000_000).default(100_000).meta({
      description: 'Rows of a record batch, and of a read of the native driver.',
    }),
    connections: z.int().min(1).max(64).default(1).meta({
      description:
        'Connections to the store that share a read by ranges; for the variants `columnar` and `columnar-…`.',
    }),
    cachedDiscovery: z.boolean().default(false).meta({
      description: 'The answer of `discover` is kept from an earlier read; for the variants with a connector.',
    }),
    compression: z.enum(accessCompressions).default('none').meta({
      description: 'Compression of record batches between the Flight server and the client; for variants with Flight.',
    }),
    warm: z.boolean().default(false).meta({
      description:
        'The programs of a read are started before the clock, with the answer of an earlier `discover`, and wait for the read; for variants with programs.',
    }),
    own: ownData.optional().meta({ description: 'Data of your own instead of the generated table.' }),
    url: z.string().min(1).optional().meta({
      description:
        'Connection string of a store of your own. `--postgres-url` and TOPO_BENCH_POSTGRES_URL (and those of MongoDB) override it, and it overrides the embedded server.',
    }),
    image: z.string().min(1).optional().meta({
      description: 'Container image of a store that topo-bench starts for the run. A connection string overrides it.',
    }),
    timeout: duration.prefault('30m').meta({ description: 'A read that takes longer is stopped and invalid.' }),
  })
  .meta({
    description:
      'Reads a whole table from a store to a client instead of deploying services; the experiment then has no topology.',
  });
export type Access = z.output<typeof access>;
