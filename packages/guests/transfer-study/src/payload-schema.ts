/** What an entry of `cells.json` has of a transfer study: speeds, streams and checked values. */
import { summary, useSeries } from '@topo-bench/core/schema/figures';
import { z } from 'zod';

/** Transfer figures of a repetition of bulk transfers. Bytes are those of the columns in Arrow's buffers. */
export const transferResult = z
  .strictObject({
    protocol: z.string(),
    operation: z.string(),
    server: z
      .strictObject({ name: z.string(), version: z.string().optional() })
      .optional()
      .meta({ description: 'The server that moved the rows: topo-bench or pyarrow. Absent in older results.' }),
    streams: z.int(),
    rows: z.int().meta({ description: 'Rows that arrived, over all streams.' }),
    bytes: z.number().meta({ description: 'Of their columns.' }),
    batchRows: z.int(),
    durationUs: z.number().meta({ description: 'From the start of the first stream to the end of the last one.' }),
    megabytesPerSecond: z.number().meta({ description: '10^6 bytes of columns per second, over the whole transfer.' }),
    rowsPerSecond: z.number(),
    firstBatch: summary.meta({
      description:
        'Of each stream: from its start to its first batch (`get`) or to the acknowledgement of its first batch (`put`).',
    }),
    perStream: z
      .array(
        z.strictObject({
          rows: z.int(),
          bytes: z.number(),
          durationUs: z.number(),
          megabytesPerSecond: z.number(),
          wireBytes: z.number().optional().meta({ description: 'Bytes of the body over HTTP.' }),
        }),
      )
      .meta({ description: 'Streams that ended correctly.' }),
    checked: z.strictObject({ values: z.int(), wrong: z.int() }).meta({
      description: 'Compared values, and rows and values found wrong. With `put` the service reports what it kept.',
    }),
    governed: z
      .strictObject({ rules: z.int(), rows: z.int() })
      .optional()
      .meta({ description: 'Rules of the service, and rows that they decided; absent where nothing is enforced.' }),
    access: z
      .strictObject({ login: z.boolean(), tls: z.enum(['none', 'server', 'mutual']) })
      .optional()
      .meta({ description: 'Whether the streams logged in, and which sides showed certificates. Absent over HTTP.' }),
    series: z.record(z.string(), useSeries).meta({ description: 'Use of resources over the transfer, by `service`.' }),
  })
  .meta({ description: 'Bulk transfers only.' });
export type TransferResult = z.output<typeof transferResult>;
