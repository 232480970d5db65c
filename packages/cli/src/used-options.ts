/**
 * Options of servers and engines that no cell uses. They are refused once the cells are known: a store would otherwise
 * be measured on another server than the one that the call names.
 */
import { engineOf, localRunner, type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { engines } from '@topo-bench/stores/engines';
import type { ExperimentCell } from '@topo-bench/trial';
import type { EngineFlags } from './runner-option.ts';
import { type ServerUrlFlags, serverUrlsOf } from './server-urls.ts';
import { studyAddresses, studyServers } from './study-flags.ts';

export type UsingCell = Pick<ExperimentCell, 'graph'> & Partial<Pick<ExperimentCell, 'settings' | 'study'>>;

/** @throws TopoBenchError `TB_USAGE` for an option without an effect on any of the cells */
export function requireUsed(cells: readonly UsingCell[], flags: object): void {
  const used = cells.map(usedBy);
  for (const engine of Object.keys(serverUrlsOf(flags as ServerUrlFlags)) as StoreEngine[]) {
    if ((flags as Record<string, unknown>)[urlName(engine)] === undefined) continue;
    if (used.every(({ stores }) => !stores.includes(engine)))
      throw unused(engines[engine].flag, `nothing here keeps data in ${engines[engine].product}`);
  }
  for (const name of Object.keys(studyAddresses(flags))) {
    const option = studyServers().find((one) => one.attributeName() === name);
    if (!option || isFromEnvironment(option.long as string, flags, name)) continue;
    if (used.every(({ addresses }) => !addresses.includes(name)))
      throw unused(option.long as string, 'no cell uses this server');
  }
  if (used.some(({ containers }) => containers)) return;
  for (const [name, flag] of engineFlags) {
    if ((flags as EngineFlags)[name] === undefined || isFromEnvironment(flag, flags, name)) continue;
    throw unused(flag, `every cell has the runner ${localRunner}, and needs no image and no engine`);
  }
}

const engineFlags = [
  ['image', '--image'],
  ['baseImage', '--base-image'],
  ['context', '--context'],
] as const;

function usedBy({ graph, settings, study }: UsingCell) {
  const stores = graph.services.flatMap(({ persistence }) => persistence ?? []);
  const server = settings && study?.serverOf?.(settings);
  const more = settings && study?.uses?.(settings);
  const images = [...stores, ...(server ? [server] : [])].some(({ image }) => image !== undefined);
  return {
    stores: [...stores.map(engineOf), ...(server ? [server.engine] : []), ...(more?.stores ?? [])],
    addresses: more?.addresses ?? [],
    containers: images || more?.containers === true || (settings !== undefined && settings.runner !== localRunner),
  };
}

/** `postgresUrl` for `--postgres-url` */
function urlName(engine: StoreEngine): string {
  return engines[engine].flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Variables are there for every call. */
function isFromEnvironment(flag: string, flags: object, name: string): boolean {
  const variable = `TOPO_BENCH_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
  return (flags as Record<string, unknown>)[name] === process.env[variable];
}

function unused(flag: string, why: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', `${flag} has no effect: ${why}`, { hint: `leave out ${flag}` });
}
