/** Where users name a server of their own: a flag, a variable of the environment, or a field of the file. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';

/** Flags that name a server, by engine. */
export const urlFlags: Readonly<Record<StoreEngine, string>> = {
  postgresql: '--postgres-url',
  mysql: '--mariadb-url',
  mongodb: '--mongodb-url',
  redis: '--redis-url',
};

/** Variables that name a server, by engine. */
export const urlVariables: Readonly<Record<StoreEngine, string>> = {
  postgresql: 'TOPO_BENCH_POSTGRES_URL',
  mysql: 'TOPO_BENCH_MARIADB_URL',
  mongodb: 'TOPO_BENCH_MONGODB_URL',
  redis: 'TOPO_BENCH_REDIS_URL',
};

/** Connection strings from flags. */
export type ServerUrls = Readonly<Partial<Record<StoreEngine, string>>>;

const protocols: Readonly<Record<StoreEngine, readonly string[]>> = {
  postgresql: ['postgresql:', 'postgres:'],
  mysql: ['mysql:', 'mariadb:'],
  mongodb: ['mongodb:', 'mongodb+srv:'],
  redis: ['redis:', 'rediss:'],
};

export interface NamedServer {
  url: string;
  /** Flag, variable or field that names it. */
  source: string;
}

/**
 * The server that the user named, if any: a flag wins over a variable, and that over a field of the file.
 * @throws TopoBenchError `TB_STORE_URL`
 */
export function namedServer(
  engine: StoreEngine,
  { flag, file }: { flag?: string | undefined; file?: string | undefined } = {},
): NamedServer | undefined {
  const variable = urlVariables[engine];
  const named = [
    { url: flag, source: urlFlags[engine] },
    { url: process.env[variable], source: variable },
    { url: file, source: 'the file' },
  ];
  for (const { url, source } of named) if (url) return { url: checkedUrl(engine, url, source), source };
  return undefined;
}

/** What is no address is not shown: who knows which part of it is the password. */
function checkedUrl(engine: StoreEngine, url: string, source: string): string {
  const expected = protocols[engine];
  // Several hosts, which MongoDB's strings may hold, are more than the parser takes: the protocol is what we check.
  const protocol = /^([a-z+]+:)\/\/\S+$/.exec(url)?.[1];
  if (protocol !== undefined && expected.includes(protocol)) return url.replace(/^mariadb:/, 'mysql:');
  const received = protocol === undefined ? '' : `: it begins with ${protocol}//`;
  throw new TopoBenchError('TB_STORE_URL', `${source} is no address of a ${engine} server${received}`, {
    hint: `write it as ${expected[0]}//user:password@host:port/database, with other characters than letters and digits as %20`,
  });
}

const addresses = /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?):\/\/\S+/gi;

/** The text as it may be shown and stored: every address of a database in it without its password. */
export function withoutPasswords(text: string): string {
  return text.replace(addresses, (address) =>
    // A password may hold the `@` that ends it, and a `/`: the last `@` before the options counts.
    address.replace(/^([^:]+:\/\/[^:@/]*):[^?]*@/, '$1@').replace(/([?&]\w*password=)[^&]*/gi, '$1'),
  );
}

const defaultPorts: Readonly<Record<string, string>> = {
  'postgresql:': '5432',
  'postgres:': '5432',
  'mysql:': '3306',
  'mariadb:': '3306',
  'mongodb:': '27017',
  'redis:': '6379',
  'rediss:': '6379',
};

/** What tells one server from another: `db:5432`, several hosts of one in the order given; without users, databases and options. */
export function serverAddress(url: string): string {
  const [, protocol = '', authority = '', query = ''] =
    /^([^:]*:)\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(withoutPasswords(url)) ?? [];
  // PostgreSQL's strings name a socket like this.
  const hosts = authority.replace(/^.*@/, '') || new URLSearchParams(query).get('host') || 'localhost';
  const port = defaultPorts[protocol];
  const isComplete = (host: string): boolean => port === undefined || host.startsWith('/') || /:\d+$/.test(host);
  return hosts
    .toLowerCase()
    .split(',')
    .map((host) => (isComplete(host) ? host : `${host}:${port}`))
    .join(',');
}
