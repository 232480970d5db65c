/**
 * Replaces the database in a connection string of MongoDB. Avoids `URL`, which rejects connection strings with several
 * hosts.
 */
export function withDatabase(url: string, database: string): string {
  const [, server = url, options = ''] = /^([^/]+\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(url) ?? [];
  return `${server}/${database}${options}`;
}
