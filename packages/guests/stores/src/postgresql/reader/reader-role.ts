/**
 * The role of foreign SQL: it may log in and read granted columns, and nothing else. Sessions log in as this role. A
 * session that switched to it (`SET ROLE`) could switch back.
 *
 * Privileges on columns of the table would not be enough where columns are withheld: a session makes the planner choose
 * an index, and rows come in the order of its columns, withheld ones included. The role then reads a view, whose rows
 * are in the order of readable columns before any part of a query sees them.
 */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import pg from 'pg';
import { StoreRefused } from '../../store-error.ts';
import { connectTo } from '../driver.ts';

export interface ReaderRole {
  /** Address of the database for sessions of the role. */
  url: string;
  /** Revokes its privileges and drops the role, as far as the server allows. */
  remove(): Promise<void>;
}

const connectTimeoutMs = 10_000;
/** Max length of names on the server, in bytes; longer ones are truncated. */
const maxNameBytes = 63;
const suffix = '_reader';

/**
 * @param url of the database with the items, for a user who may create roles
 * @param columns readable columns of the table `items`
 * @throws StoreRefused when the user lacks a privilege, or a role of this name has more privileges than a reader
 */
export async function createReaderRole(url: string, columns: readonly string[]): Promise<ReaderRole> {
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const name = database.slice(0, maxNameBytes - suffix.length) + suffix;
  const password = randomBytes(24).toString('base64url');
  await asOwner(url, `make the role ${name}, which SQL of callers runs as`, (owner) =>
    makeRole(owner, { name, password, database, columns }),
  );
  const role = pg.escapeIdentifier(name);
  return {
    url: withUser(url, name, password),
    remove: () =>
      asOwner(url, `remove the role ${name}`, async (owner) => {
        await revoke(owner, role);
        await owner.query(`DROP ROLE ${role}`);
      }).catch(() => undefined),
  };
}

interface NewRole {
  name: string;
  password: string;
  database: string;
  columns: readonly string[];
}

/** Sorts of the shipped data sets stay far below. */
const tempFileLimit = '256MB';

async function makeRole(owner: Client, { name, password, database, columns }: NewRole): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const { rows } = await owner.query<{ powerful: boolean }>(
    `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls
       OR EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid) AS powerful
     FROM pg_roles WHERE rolname = $1`,
    [name],
  );
  if (rows[0]?.powerful) throw new Error('the role exists, with more privileges than a reader');
  await owner.query(`${rows[0] ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD '${password}'`);
  await owner.query(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
  // Cancels queries of clients that died; not supported on every system.
  await owner.query(`ALTER ROLE ${role} SET client_connection_check_interval = '1s'`).catch(() => undefined);
  // Limits the disk use of one session, for sorts and the like. Only a superuser can set it, and no reader can change
  // it.
  await owner.query(`ALTER ROLE ${role} SET temp_file_limit = '${tempFileLimit}'`).catch(() => undefined);
  await owner.query(`REVOKE TEMPORARY ON DATABASE ${pg.escapeIdentifier(database)} FROM PUBLIC`);
  await revoke(owner, role);
  await grant(owner, role, columns);
}

async function revoke(owner: Client, role: string): Promise<void> {
  // Revoking on the table also revokes privileges on its columns.
  await owner.query(`REVOKE ALL ON public.items FROM ${role}`);
  await owner.query(`DROP SCHEMA IF EXISTS ${role} CASCADE`);
}

/**
 * Grants the table itself if all columns are readable. Else a view of the same name, in the schema of the role's name:
 * PostgreSQL looks for names there first. Withheld columns are nulls without a privilege, so that a query which names
 * one is denied.
 */
async function grant(owner: Client, role: string, columns: readonly string[]): Promise<void> {
  const { rows: all } = await owner.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = 'public.items'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const names = columns.map(pg.escapeIdentifier).join(', ');
  if (all.every(({ name }) => columns.includes(name))) {
    await owner.query(`GRANT SELECT (${names}) ON public.items TO ${role}`);
    return;
  }
  const shown = all.map(({ name, type }) => {
    const column = pg.escapeIdentifier(name);
    return columns.includes(name) ? column : `NULL::${type} AS ${column}`;
  });
  // Ids are unique: no other column then decides the order of rows.
  const order = columns.includes('id') ? 'id' : names;
  await owner.query(`CREATE SCHEMA ${role}`);
  // OFFSET keeps conditions and joins of callers out of the part that sorts.
  await owner.query(
    `CREATE VIEW ${role}.items AS SELECT ${shown.join(', ')} FROM public.items ${order && `ORDER BY ${order}`} OFFSET 0`,
  );
  await owner.query(`GRANT USAGE ON SCHEMA ${role} TO ${role}`);
  if (names) await owner.query(`GRANT SELECT (${names}) ON ${role}.items TO ${role}`);
}

/** @throws StoreRefused */
async function asOwner(url: string, what: string, work: (owner: Client) => Promise<void>): Promise<void> {
  try {
    const owner = await connectTo(url, connectTimeoutMs);
    try {
      await work(owner);
    } finally {
      await owner.end();
    }
  } catch (error) {
    throw new StoreRefused(what, error);
  }
}

function withUser(url: string, name: string, password: string): string {
  const changed = new URL(url);
  changed.username = encodeURIComponent(name);
  changed.password = encodeURIComponent(password);
  return changed.href;
}
