/** The flags that name user-supplied database servers, for every verb that starts stores: one per engine. */
import { type StoreEngine, storeEngines } from '@topo-bench/core';
import { engines } from '@topo-bench/stores/engines';
import { type ServerUrls, urlVariable } from '@topo-bench/stores/servers/connection-strings';
import { Option } from 'commander';

/** `postgresUrl` for `--postgres-url`, and so on. */
export type ServerUrlFlags = { [flag: `${string}Url`]: string };

export function serverUrlOptions(): Option[] {
  return storeEngines.map(optionOf);
}

/** Only from the command line: commander also fills in variables, which have a lower precedence of their own. */
export function serverUrlsOf(flags: ServerUrlFlags): ServerUrls {
  const given = storeEngines.map(
    (engine) => [engine, flags[optionOf(engine).attributeName() as keyof ServerUrlFlags]] as const,
  );
  return Object.fromEntries(given.filter(([engine, url]) => url !== process.env[urlVariable(engine)]));
}

function optionOf(engine: StoreEngine): Option {
  const { flag, product } = engines[engine];
  return new Option(`${flag} <url>`, `keep stores on your own ${product} server`);
}
