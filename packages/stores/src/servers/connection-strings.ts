/** Where users name a server of their own: a field of the file, or a variable of the environment. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';

/** Variables that name a server, by engine. */
export const urlVariables: Readonly<Record<StoreEngine, string>> = {
  postgresql: 'TOPO_BENCH_POSTGRES_URL',
  mysql: 'TOPO_BENCH_MARIADB_URL',
  mongodb: 'TOPO_BENCH_MONGODB_URL',
  redis: 'TOPO_BENCH_REDIS_URL',
};

const protocols: Readonly<Record<StoreEngine, readonly string[]>> = {
  postgresql: ['postgresql:', 'postgres:'],
  mysql: ['mysql:', 'mariadb:'],
  mongodb: ['mongodb:', 'mongodb+srv:'],
  redis: ['redis:', 'rediss:'],
};

export interface NamedServer {
  url: string;
  /** Field or variable that names it. */
  source: string;
}

/**
 * The server that the user named, if any: a field of the file wins over a variable. Where both name the same one, the variable
 * gives the password, which files (and what a run keeps of them) can do without.
 * @throws TopoBenchError `TB_STORE_URL`
 */
export function namedServer(engine: StoreEngine, fromFile?: string): NamedServer | undefined {
  const variable = urlVariables[engine];
  const given = process.env[variable];
  const same = given !== undefined && withoutPasswords(given) === fromFile;
  const named = fromFile === undefined ? { url: given, source: variable } : { url: same ? given : fromFile, source: 'the file' };
  if (!named.url) return undefined;
  return { url: checkedUrl(engine, named.url, named.source), source: named.source };
}

function checkedUrl(engine: StoreEngine, url: string, source: string): string {
  const expected = protocols[engine];
  // Several hosts, which MongoDB's strings may hold, are more than the parser takes: the protocol is what we check.
  const protocol = /^([a-z+]+:)\/\/./.exec(url)?.[1];
  if (protocol !== undefined && expected.includes(protocol)) return url.replace(/^mariadb:/, 'mysql:');
  throw new TopoBenchError(
    'TB_STORE_URL',
    `${source} is no address of a ${engine} server: ${JSON.stringify(withoutPasswords(url))}`,
    {
      hint: `write it as ${expected[0]}//user:password@host:port/database`,
    },
  );
}

const addresses = /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?):\/\/\S+/gi;

/** The text as it may be shown and stored: every address of a database in it without its password. */
export function withoutPasswords(text: string): string {
  return text.replace(addresses, (address) =>
    // A password may hold the `@` that ends it: the last one counts.
    address.replace(/^([^:]+:\/\/[^:@/]*):[^/]*@/, '$1@').replace(/([?&]\w*password=)[^&]*/gi, '$1'),
  );
}
