/**
 * Identity of a server. Many products share MongoDB's protocol: only a server without another name in its report is
 * called MongoDB.
 */
import type { Collection, Document } from 'mongodb';
import type { ServerIdentity } from '../store.ts';
import type { ItemDocument } from './document.ts';

export async function identify(items: Collection<ItemDocument>): Promise<ServerIdentity> {
  // The report describes the server, whichever database is used.
  const about: Document = await items.db.command({ buildInfo: 1 });
  const { name, version } = nameOf(about);
  const settings: Record<string, string> = {
    writeConcern: JSON.stringify(items.writeConcern ?? 'the default of the server'),
  };
  if (typeof about.storageEngines !== 'undefined') settings.storageEngines = JSON.stringify(about.storageEngines);
  return { name, version, settings };
}

/**
 * Products that put their own name into the build information, and where to find it. MongoDB has always named the
 * commit of its build there.
 */
export function nameOf(about: Document): { name: string; version: string } {
  const text = JSON.stringify(about);
  const other = /secantus|ferretdb|documentdb|cosmos/i.exec(text)?.[0]?.toLowerCase();
  const protocol = String(about.version ?? 'unknown');
  if (other === undefined) {
    return about.gitVersion
      ? { name: 'MongoDB', version: protocol }
      : { name: 'Unnamed server (MongoDB wire protocol)', version: `as MongoDB ${protocol}` };
  }
  const own = about[`${other}Version`] ?? about[other]?.version ?? about[other];
  const version = typeof own === 'string' ? own : `as MongoDB ${protocol}`;
  return { name: `${properName[other] ?? other} (MongoDB wire protocol)`, version };
}

const properName: Readonly<Record<string, string>> = {
  secantus: 'SecantusDB',
  ferretdb: 'FerretDB',
  documentdb: 'DocumentDB',
  cosmos: 'Cosmos DB',
};
