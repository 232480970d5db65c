/** The field `arrow` of a service: columns that it serves beside its JSON, with seeded contents. */
import { z } from 'zod';
import { name, size } from './quantities.ts';

export const arrowTypes = ['int64', 'int32', 'float64', 'bool', 'timestamp', 'text', 'texts'] as const;

export const arrowColumn = z.strictObject({
  name,
  type: z.enum(arrowTypes).meta({ description: '`text` is one text, `texts` a list of them, e.g. of consents.' }),
  category: name
    .default('none')
    .meta({ description: 'Category of data: personal, health, payment, … or `none`, as of payload fields.' }),
  values: z
    .array(z.string())
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'What a `text` is drawn from; of `texts` each is there with probability ½. Required with `texts`.' }),
  size: size.prefault('16B').meta({ description: 'Bytes of a `text` that has no `values`.' }),
  nulls: z.number().min(0).max(1).default(0).meta({ description: 'Share of rows without a value.' }),
});

const defaultColumns: z.input<typeof arrowColumn>[] = [
  { name: 'id', type: 'int64' },
  { name: 'at', type: 'timestamp' },
  { name: 'amount', type: 'float64' },
  { name: 'units', type: 'int64' },
];

export const arrowFacts = z.strictObject({
  class: name.default('row').meta({ description: 'Class of every row, as rules see it.' }),
  purpose: name.default('contract').meta({ description: 'Purpose, where the caller states none with `?purpose=`.' }),
  origin: name.optional().meta({ description: 'Column with the region of origin of each row.' }),
  consents: name.optional().meta({ description: 'Column of `texts` with the consents of each row.' }),
});

export const arrowService = z
  .strictObject({
    rows: z.int().min(0).max(2_000_000_000).default(1_000_000).meta({ description: 'Rows that a stream has.' }),
    batchRows: z.int().min(1).max(10_000_000).default(100_000).meta({ description: 'Rows of one record batch.' }),
    columns: z.array(arrowColumn).min(1).max(1000).prefault(defaultColumns).meta({ description: 'In the order of the schema.' }),
    facts: arrowFacts.prefault({}).meta({ description: 'What rules are told of a row, beside its columns as the payload.' }),
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
export type ArrowColumn = z.output<typeof arrowColumn>;
