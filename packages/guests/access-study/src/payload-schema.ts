/** What an entry of `cells.json` has of a data-access study: the read, its parts and its check. */
import { z } from 'zod';

/** Figures of a repetition that read a table to a client. */
export const accessResult = z
  .strictObject({
    variant: z.string(),
    source: z.string(),
    table: z.string().meta({ description: 'In words, without address.' }),
    store: z
      .string()
      .optional()
      .meta({ description: 'Name and version as reported by the server; absent for a file.' }),
    address: z.string().optional().meta({
      description: 'Host and port of a user-supplied server; absent where topo-bench started it.',
    }),
    rows: z.int().meta({ description: 'Rows that the client received.' }),
    bytes: z.number().meta({
      description: 'Of these rows as columns in Arrow buffers: the same number for every variant.',
    }),
    durationUs: z.number().meta({
      description: 'From the start of the read to the last row at the client, including all that was started for it.',
    }),
    rowsPerSecond: z.number(),
    megabytesPerSecond: z.number().meta({ description: '10^6 of these bytes per second.' }),
    parts: z.record(z.string(), z.number()).meta({
      description:
        'The duration split, in µs, in this order: `discover`, `image` present, `create`, `start`, `first-byte`, `connect`, `read`, `conversion` (objects from messages), `return` (end of the read). Absent parts do not exist in the variant. The clock stops while the client computes the checksum.',
    }),
    checksum: z.string(),
    expected: z.strictObject({ rows: z.int(), checksum: z.string(), origin: z.string() }).meta({
      description: 'Rows and checksum of the table, and where they are known from.',
    }),
    wrong: z.int().min(0).meta({ description: 'Findings: another number of rows, another checksum.' }),
    wireBytes: z.record(z.string(), z.number()).meta({
      description: 'Bytes by wire, e.g. `postgresql → client`; absent where the system does not count them.',
    }),
    conversionUs: z.number().optional().meta({
      description:
        'Time in which the Flight server made record batches of rows; it overlaps the part `read`. Absent without a connector behind the server, and for a read of one row.',
    }),
    roles: z
      .record(z.string(), z.strictObject({ cpuUs: z.number().optional(), peakRssBytes: z.number().optional() }))
      .meta({ description: 'CPU time over the read, and peak resident memory, by role: client, connector, …' }),
    idleRssBytes: z.number().optional().meta({ description: 'Of the client, just before the read.' }),
    options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description: 'Settings of the read, defaults included.',
    }),
  })
  .meta({ description: 'Reads of a table to a client only.' });
export type AccessResult = z.output<typeof accessResult>;
