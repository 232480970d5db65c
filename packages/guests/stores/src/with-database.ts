/** Replaces the database in a connection string. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The same for MongoDB: `URL` rejects connection strings with several hosts. */
export function withMongoDatabase(url: string, database: string): string {
  const [, server = url, options = ''] = /^([^/]+\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(url) ?? [];
  return `${server}/${database}${options}`;
}
