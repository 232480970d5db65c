/** The flags that name database servers of the user's own, for every verb that starts stores. */
import type { StoreEngine } from '@topo-bench/core';
import { type ServerUrls, urlFlags, urlVariables } from '@topo-bench/stores/servers/connection-strings';
import { Option } from 'commander';

export interface ServerUrlFlags {
  postgresUrl?: string;
  mariadbUrl?: string;
  mongodbUrl?: string;
  redisUrl?: string;
}

const servers: Readonly<Record<StoreEngine, string>> = {
  postgresql: 'PostgreSQL server of yours',
  mysql: 'MariaDB or MySQL server of yours',
  mongodb: 'MongoDB-protocol server of yours',
  redis: 'Redis server of yours',
};

export function serverUrlOptions(): Option[] {
  return engines.map((engine) => new Option(`${urlFlags[engine]} <url>`, `keep stores on a ${servers[engine]}`));
}

/** Those that stand on the command line; commander gives those of variables as well, which have their own place in the order. */
export function serverUrlsOf(flags: ServerUrlFlags): ServerUrls {
  const given = { postgresql: flags.postgresUrl, mysql: flags.mariadbUrl, mongodb: flags.mongodbUrl, redis: flags.redisUrl };
  return Object.fromEntries(
    engines.filter((engine) => given[engine] !== process.env[urlVariables[engine]]).map((engine) => [engine, given[engine]]),
  );
}

const engines = Object.keys(servers) as StoreEngine[];
