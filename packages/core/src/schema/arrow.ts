/** The field `arrow` of a service: columns with seeded contents that it serves in addition to its JSON. */
import { z } from 'zod';
import { duration, name, size } from './quantities.ts';

const arrowTypes = ['int64', 'int32', 'float64', 'bool', 'timestamp', 'text', 'texts'] as const;

export const arrowColumn = z.strictObject({
  name,
  type: z.enum(arrowTypes).meta({ description: '`text` is one text, `texts` a list of them, e.g. of consents.' }),
  category: name
    .default('none')
    .meta({ description: 'Category of data: personal, health, payment, … or `none`, as for payload fields.' }),
  values: z.array(z.string()).min(1).max(1000).optional().meta({
    description: 'Values of a `text`; each element of `texts` is present with probability ½. Required with `texts`.',
  }),
  size: size.prefault('16B').meta({ description: 'Bytes of a `text` without `values`.' }),
  nulls: z.number().min(0).max(1).default(0).meta({ description: 'Share of rows without a value.' }),
});

const defaultColumns: z.input<typeof arrowColumn>[] = [
  { name: 'id', type: 'int64' },
  { name: 'at', type: 'timestamp' },
  { name: 'amount', type: 'float64' },
  { name: 'units', type: 'int64' },
];

const arrowFacts = z.strictObject({
  class: name.default('row').meta({ description: 'Class of every row, as rules see it.' }),
  purpose: name.default('contract').meta({ description: 'Purpose, where the caller states none with `?purpose=`.' }),
  origin: name.optional().meta({ description: 'Column with the region of origin of each row.' }),
  consents: name.optional().meta({ description: 'Column of `texts` with the consents of each row.' }),
});

/** The name of an environment variable: its value never appears in files. */
const secret = z
  .string()
  .regex(/^env [A-Za-z_][A-Za-z0-9_]*$/, 'expected `env` and the name of a variable: env FLIGHT_PASSWORD')
  .transform((value) => value.slice('env '.length));

const flightLogin = z.strictObject({
  user: z.string().min(1).meta({ description: 'Name that callers log in with.' }),
  password: secret.meta({
    description: '`env NAME`: the variable that holds the password.',
    examples: ['env FLIGHT_PASSWORD'],
  }),
});

const pemFile = z.string().min(1);

/** Log-in and trust of a client of a service over Flight. */
export const flightClient = z
  .strictObject({
    login: flightLogin.optional().meta({ description: 'Default: the `login` of the service.' }),
    ca: pemFile.optional().meta({
      description:
        "PEM file of the authority of the service's certificate. Left out: that certificate itself, which is enough where it signed itself.",
    }),
    serverName: z.string().min(1).optional().meta({
      description:
        'Expected name in the certificate of the service, if not its address: `127.0.0.1`, or that of a container.',
    }),
    certificate: pemFile.optional().meta({ description: 'PEM file to show to a service with `clientCa`.' }),
    key: pemFile.optional().meta({ description: 'PEM file of its private key.' }),
  })
  .refine(
    ({ certificate, key }) => (certificate === undefined) === (key === undefined),
    'expected `certificate` and `key`, or neither',
  )
  .meta({
    description:
      'Log-in and trust of the load, in addition to the fields of the topology. Paths are relative to the working directory of topo-bench.',
  });

export const arrowSql = z
  .strictObject({
    timeout: duration
      .refine((us) => us > 0, 'expected more than nothing, e.g. 60s')
      .prefault('60s')
      .meta({ description: 'Max time from the start of a query to its last row; then it is cancelled.' }),
    connections: z
      .int()
      .min(1)
      .max(1000)
      .default(10)
      .meta({ description: 'Max concurrent queries, each on a connection of its own; further ones wait.' }),
  })
  .meta({
    description:
      'Read-only queries over Flight SQL on the items of the service; needs `persistence` on PostgreSQL. Columns that rules withhold cannot be queried, and rules that decide row by row refuse every query.',
  });

/** Arrow Flight in addition to HTTP. */
export const arrowFlight = z.strictObject({
  endpoints: z.int().min(1).max(64).default(4).meta({
    description: 'Parts of the flight, which clients may fetch in parallel; a request may ask for another number.',
  }),
  login: flightLogin.optional().meta({
    description:
      'Callers log in by handshake and then carry a token. Default: the name `client` and the token of the run, unless the service is `open`.',
  }),
  tls: z
    .strictObject({
      enabled: z.boolean().default(true).meta({
        description:
          '`false`: no TLS, as if it were not there. The short name `tls` makes it a factor: `tls: [false, true]`.',
      }),
      certificate: pemFile.meta({ description: 'PEM file, relative to the working directory of topo-bench.' }),
      key: pemFile.meta({ description: 'PEM file of its private key.' }),
      clientCa: pemFile
        .optional()
        .meta({ description: 'PEM file of an authority; callers need a certificate from it (mutual TLS).' }),
    })
    .optional()
    .meta({ description: 'Serves TLS over Flight; `GET /arrow` has none.' }),
  sql: arrowSql.optional(),
  maxMessage: size
    .prefault('128MiB')
    .meta({ description: 'Max size of a message from a caller, also of a decompressed one.' }),
});

export const arrowService = z
  .strictObject({
    rows: z.int().min(0).max(2_000_000_000).default(1_000_000).meta({ description: 'Rows of a stream.' }),
    batchRows: z.int().min(1).max(10_000_000).default(100_000).meta({ description: 'Rows of one record batch.' }),
    columns: z
      .array(arrowColumn)
      .min(1)
      .max(1000)
      .prefault(defaultColumns)
      .meta({ description: 'In the order of the schema.' }),
    open: z.boolean().optional().meta({
      description:
        'Whether `GET /arrow`, and Flight without `login`, need no token. Otherwise callers present the token that `topo-bench up` names.',
    }),
    flight: arrowFlight
      .optional()
      .meta({ description: 'Serves the columns over Arrow Flight too, on a port of its own.' }),
    facts: arrowFacts
      .prefault({})
      .meta({ description: 'Facts about a row for rules, next to its columns as the payload.' }),
  })
  .superRefine(({ columns, facts }, context) => {
    const complain = (path: (string | number)[], message: string): void =>
      void context.addIssue({ code: 'custom', path, message });
    columns.forEach(({ type, values, name: column }, i) => {
      if (type === 'texts' && !values) complain(['columns', i], 'expected `values`, which `texts` are drawn from');
      if (columns.findIndex(({ name: other }) => other === column) < i)
        complain(['columns', i, 'name'], `"${column}" is there twice`);
    });
    for (const [fact, type] of [
      ['origin', 'text'],
      ['consents', 'texts'],
    ] as const) {
      const column = facts[fact];
      if (column !== undefined && !columns.some((one) => one.name === column && one.type === type)) {
        complain(['facts', fact], `expected the name of a column of type ${type}`);
      }
    }
  })
  .meta({
    id: 'arrow',
    description: 'Columns of a service, served at `GET /arrow` as Arrow IPC, JSON or NDJSON, with seeded contents.',
  });

/** Columns of a service; sizes in bytes. */
export type ArrowService = z.output<typeof arrowService>;
export type ArrowFlight = z.output<typeof arrowFlight>;
/** Durations in µs. */
export type ArrowSql = z.output<typeof arrowSql>;
export type ArrowColumn = z.output<typeof arrowColumn>;
