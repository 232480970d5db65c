/** Items as rows of MariaDB and MySQL: every scalar field a column, the lines a JSON column. */
import type { StoreConfiguration } from '@topo-bench/core/persistence';
import type { Item, ItemLine, ItemStatus } from '../item.ts';

export interface Row {
  id: string;
  customer: string;
  status: ItemStatus;
  created_at: string;
  total_cents: number;
  currency: string;
  item_lines: string;
  address_name: string;
  street: string;
  city: string;
  postcode: string;
  country: string;
  note: string;
}

/** `LINES` alone is a word of the language. Texts compare by bytes, as in every store. */
export const createTable = `CREATE TABLE items (
  id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  customer varchar(64) NOT NULL,
  status varchar(16) NOT NULL,
  created_at datetime(3) NOT NULL,
  total_cents int NOT NULL,
  currency char(3) NOT NULL,
  item_lines json NOT NULL,
  address_name varchar(200) NOT NULL,
  street varchar(200) NOT NULL,
  city varchar(200) NOT NULL,
  postcode varchar(32) NOT NULL,
  country varchar(2) NOT NULL,
  note text NOT NULL
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`;

/** In the order of `toValues`; the first is the id. */
export const columns: readonly (keyof Row)[] = [
  'id',
  'customer',
  'status',
  'created_at',
  'total_cents',
  'currency',
  'item_lines',
  'address_name',
  'street',
  'city',
  'postcode',
  'country',
  'note',
];

// Each ends with what lists are ordered by, so that a page is one range of an index.
const indexesOfQueriedFields = [
  'CREATE INDEX items_customer ON items (customer, created_at, id)',
  'CREATE INDEX items_status ON items (status, created_at, id)',
  'CREATE INDEX items_created_at ON items (created_at, id)',
];

/** Statements that index the table; none for the configuration without. */
export function indexesOf(configuration: StoreConfiguration): readonly string[] {
  return configuration === 'sql-unindexed' ? [] : indexesOfQueriedFields;
}

export function toValues({ address, ...item }: Item): (string | number)[] {
  return [
    item.id,
    item.customer,
    item.status,
    toSqlTime(item.createdAt),
    item.totalCents,
    item.currency,
    JSON.stringify(item.lines),
    address.name,
    address.street,
    address.city,
    address.postcode,
    address.country,
    item.note,
  ];
}

export function toItem(row: Row): Item {
  return {
    id: row.id,
    customer: row.customer,
    status: row.status,
    createdAt: toIsoTime(row.created_at),
    currency: row.currency,
    totalCents: row.total_cents,
    lines: JSON.parse(row.item_lines) as ItemLine[],
    address: {
      name: row.address_name,
      street: row.street,
      city: row.city,
      postcode: row.postcode,
      country: row.country,
    },
    note: row.note,
  };
}

/** @param iso with milliseconds, in UTC */
export function toSqlTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/** @param text as the server prints it; the driver leaves out a fraction of zero */
function toIsoTime(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(3, '0')}Z`;
}
