/** Asks a database server for any answer, through its own driver: an open port alone does not mean that it serves. */
import type { StoreEngine } from '@topo-bench/core';

const timeoutMs = 3000;

const pings: Record<StoreEngine, (url: string) => Promise<void>> = {
  async postgresql(url) {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT 1');
    } finally {
      await client.end().catch(() => {});
    }
  },
  async mysql(url) {
    const { createConnection } = await import('mysql2/promise');
    const connection = await createConnection({ uri: url, connectTimeout: timeoutMs });
    try {
      await connection.query('SELECT 1');
    } finally {
      await connection.end().catch(() => {});
    }
  },
  async mongodb(url) {
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs });
    try {
      await client.db('admin').command({ ping: 1 });
    } finally {
      await client.close();
    }
  },
  async redis(url) {
    const { createClient } = await import('@redis/client');
    const client = createClient({ url, socket: { connectTimeout: timeoutMs, reconnectStrategy: false } });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.ping();
    } finally {
      if (client.isOpen) client.destroy();
    }
  },
};

/** Rejects with the driver's error when the server does not answer. */
export function ping(engine: StoreEngine, url: string): Promise<void> {
  return pings[engine](url);
}
