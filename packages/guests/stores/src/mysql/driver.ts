/** Connections to MariaDB and MySQL: how to open them, and which errors mean that the server is gone. */
import { type Connection, createConnection } from 'mysql2/promise';
import type { ConnectionDriver } from '../connection-pool.ts';

const lost = new WeakSet<Connection>();

export function mysqlDriver(url: string, timeoutMs: number): ConnectionDriver<Connection> {
  return {
    connect: () => connectTo(url, timeoutMs),
    isOpen: (connection) => !lost.has(connection),
    disconnect: (connection) => {
      lost.add(connection);
      connection.destroy();
    },
    isUnavailable,
  };
}

/** A connection with the settings that our statements require. */
export async function connectTo(url: string, timeoutMs: number): Promise<Connection> {
  const connection = await createConnection({
    uri: url,
    connectTimeout: timeoutMs,
    charset: 'utf8mb4_bin',
    dateStrings: true,
    jsonStrings: true,
    // With it, an upsert distinguishes replaced from inserted rows.
    flags: ['-FOUND_ROWS'],
  });
  connection.on('error', () => lost.add(connection));
  connection.on('end', () => lost.add(connection));
  return connection;
}

/** Too many connections, shutdown, killed, unknown database. */
const goingCodes = new Set([1040, 1049, 1053, 1152, 1203, 1226, 1317, 1927]);

function isUnavailable(error: unknown): boolean {
  const { errno, code, fatal } = error as { errno?: number; code?: string; fatal?: boolean };
  if (fatal === true || (errno !== undefined && goingCodes.has(errno))) return true;
  return code === undefined ? /closed state/.test((error as Error).message) : /^(E[A-Z]+$|PROTOCOL_)/.test(code);
}
