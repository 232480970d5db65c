/** The row of each engine in the suites that run over all of them: the contract of stores and the access to servers. */
import { createClient } from '@redis/client';
import type { ItemEngine } from '@topo-bench/core';
import { MongoClient } from 'mongodb';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';

/** Logs in as the user of this name, or without one, and runs a command that needs rights. */
type LogIn = (port: number, user: string | undefined, password: string | undefined) => Promise<unknown>;

interface EngineRow {
  /** Names that its servers may report. */
  reportedName: RegExp;
  /** User of a server that topo-bench starts. */
  admin: string;
  /** Users that must not get in without the password; undefined for no user. */
  users: (string | undefined)[];
  logIn: LogIn;
}

export const engineRows: Record<ItemEngine, EngineRow> = {
  postgresql: {
    reportedName: /^PostgreSQL$/,
    admin: 'postgres',
    users: ['postgres', 'nobody', 'root'],
    async logIn(port, user, password) {
      const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' });
      client.on('error', () => {});
      try {
        await client.connect();
        // A builtin of the shell: some images have no other programs.
        return (await client.query("COPY (SELECT 1) TO PROGRAM 'read line'")).rowCount;
      } finally {
        await client.end().catch(() => {});
      }
    },
  },
  mysql: {
    reportedName: /^(MariaDB|MySQL)$/,
    admin: 'root',
    users: ['root', '', 'mariadb.sys', 'mysql'],
    async logIn(port, user = '', password = '') {
      const connection = await createConnection({ host: '127.0.0.1', port, user, password });
      try {
        return await connection.query('SHOW DATABASES');
      } finally {
        await connection.end().catch(() => {});
      }
    },
  },
  mongodb: {
    reportedName: /^(MongoDB|\w+ \(MongoDB wire protocol\))$/,
    admin: 'topo-bench',
    users: [undefined, 'topo-bench', 'root'],
    async logIn(port, user, password) {
      const access = user === undefined ? '' : `${user}:${password || 'none'}@`;
      const client = new MongoClient(`mongodb://${access}127.0.0.1:${port}/?directConnection=true`, {
        serverSelectionTimeoutMS: 3000,
      });
      try {
        return await client.db('admin').command({ listDatabases: 1 });
      } finally {
        await client.close();
      }
    },
  },
  redis: {
    reportedName: /^(Redis|Valkey)$/,
    admin: 'default',
    users: [undefined, 'default'],
    async logIn(port, user, password) {
      const access = { ...(user !== undefined && { username: user }), ...(password && { password }) };
      const client = createClient({ ...access, socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
      client.on('error', () => {});
      try {
        await client.connect();
        return await client.sendCommand(['CONFIG', 'GET', 'dir']);
      } finally {
        if (client.isOpen) client.destroy();
      }
    },
  },
};
