/** Tables of heat maps in HBase: created, listed and removed. */
import type { HBaseConnection } from './driver.ts';

/** Family of the sums: a row for each cell, a column for each writer. */
export const sums = 's';
/** Family of the records of partitions. */
export const records = 'r';

export async function clusterVersion(connection: HBaseConnection): Promise<string> {
  const { text } = await connection.send({ method: 'GET', path: '/version/cluster', accept: 'text/plain' });
  return text.trim();
}

export async function createTable(connection: HBaseConnection, name: string): Promise<void> {
  const families = [sums, records].map((family) => ({ name: family, VERSIONS: '1' }));
  const body = JSON.stringify({ name, ColumnSchema: families });
  await connection.send({ method: 'PUT', path: `/${name}/schema`, body, expected: [201] });
}

export async function removeTable(connection: HBaseConnection, name: string): Promise<void> {
  await connection.send({ method: 'DELETE', path: `/${name}/schema`, expected: [200, 404] });
}

export async function tableNames(connection: HBaseConnection): Promise<string[]> {
  const { text } = await connection.send({ method: 'GET', path: '/', expected: [200, 204] });
  const { table = [] } = JSON.parse(text || '{}') as { table?: { name: string }[] };
  return table.map(({ name }) => name);
}

/** @param table path of the table */
export async function tableExists(connection: HBaseConnection, table: string): Promise<boolean> {
  const request = { method: 'GET', path: `${table}/exists`, accept: 'text/plain', expected: [200, 404] } as const;
  return (await connection.send(request)).status === 200;
}
