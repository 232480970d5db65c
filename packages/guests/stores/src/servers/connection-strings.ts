/** Connection strings of user-supplied servers: their sources, validation and display. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { engines } from '../engines.ts';

/** Connection strings from flags. */
export type ServerUrls = Readonly<Partial<Record<StoreEngine, string>>>;

export interface NamedServer {
  url: string;
  /** Flag, variable or field with the string. */
  source: string;
}

/** The environment variable for a server: `TOPO_BENCH_REDIS_URL`, as for every flag with a value. */
export function urlVariable(engine: StoreEngine): string {
  return `TOPO_BENCH_${engines[engine].flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/**
 * The user-supplied server, if any: a flag takes precedence over a variable, and that over a field of the file.
 * @throws TopoBenchError `TB_STORE_URL`
 */
export function namedServer(
  engine: StoreEngine,
  { flag, file }: { flag?: string | undefined; file?: string | undefined } = {},
): NamedServer | undefined {
  const variable = urlVariable(engine);
  const named = [
    { url: flag, source: engines[engine].flag },
    { url: process.env[variable], source: variable },
    { url: file, source: 'the file' },
  ];
  for (const { url, source } of named) {
    if (!url) continue;
    requireAddress(engine, url, source);
    return { url, source };
  }
  return undefined;
}

/** Never prints a string that cannot be parsed: any part may be the password. */
function requireAddress(engine: StoreEngine, url: string, source: string): void {
  const { protocols } = engines[engine];
  // MongoDB's strings may contain several hosts, which `URL` rejects: only the protocol is checked.
  const protocol = /^([a-z+]+:)\/\/\S+$/.exec(url)?.[1];
  if (protocol !== undefined && protocol in protocols) return;
  const received = protocol === undefined ? 'something else' : `one with ${protocol}//`;
  const form = `${Object.keys(protocols)[0]}//user:password@host:port/database`;
  throw new TopoBenchError('TB_STORE_URL', `${source}: got ${received}, expected the address of a ${engine} server`, {
    hint: `write it as ${form}, with special characters percent-encoded, e.g. %20`,
  });
}

const defaultPorts: ReadonlyMap<string, number | undefined> = new Map(
  Object.values(engines).flatMap(({ protocols }) =>
    Object.entries(protocols).map(([protocol, { defaultPort }]) => [protocol, defaultPort] as const),
  ),
);

const schemes = [...defaultPorts.keys()].map((protocol) => protocol.replace('+', '\\+'));
const addresses = new RegExp(`\\b(?:${schemes.join('|')})//\\S+`, 'gi');

/** Text for display and storage: removes the password from every database address. */
export function withoutPasswords(text: string): string {
  return text.replace(addresses, (address) =>
    // A password may contain `@` and `/`: it ends at the last `@` before the options.
    address.replace(/^([^:]+:\/\/[^:@/]*):[^?]*@/, '$1@').replace(/([?&]\w*password=)[^&]*/gi, '$1'),
  );
}

/** Engines of the database addresses in a text. */
export function enginesOfAddresses(text: string): StoreEngine[] {
  const protocols = new Set(
    (text.match(addresses) ?? []).map((address) => address.replace(/\/\/.*/s, '').toLowerCase()),
  );
  const names = Object.keys(engines) as StoreEngine[];
  return names.filter((engine) => Object.keys(engines[engine].protocols).some((protocol) => protocols.has(protocol)));
}

/** Identifies a server: `db:5432`, several hosts in the given order; without users, databases and options. */
export function serverAddress(url: string): string {
  const [, protocol = '', authority = '', query = ''] =
    /^([^:]*:)\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(withoutPasswords(url)) ?? [];
  // PostgreSQL's strings specify a socket by an option.
  const hosts = authority.replace(/^.*@/, '') || new URLSearchParams(query).get('host') || 'localhost';
  const port = defaultPorts.get(protocol);
  const isComplete = (host: string): boolean => port === undefined || host.startsWith('/') || /:\d+$/.test(host);
  return hosts
    .toLowerCase()
    .split(',')
    .map((host) => (isComplete(host) ? host : `${host}:${port}`))
    .join(',');
}
