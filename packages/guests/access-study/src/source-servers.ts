/** The settings of a data-access study that choose a database server. */
import type { ServerReach } from '@topo-bench/core';
import type { Access } from './settings-schema.ts';

export type ServerFields = Pick<Access, 'source' | 'url' | 'image'>;

/** Equal for cells with one server. */
export function serverKey({ source, url, image }: ServerFields): string {
  return JSON.stringify([source, url, image]);
}

/** How the programs of a run reach the server of a source; undefined: as processes. */
export type SourceReach = (fields: ServerFields) => Promise<ServerReach | undefined>;
