/** Refuses jobs that write exactly once to a server without transactions. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { engines } from '@topo-bench/stores/engines';
import { hasTransactions } from '@topo-bench/stores/heat-map';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import { expectTransactions, isImageWithoutTransactions } from '@topo-bench/stores/servers/transactions';
import type { Stream } from './settings-schema.ts';

type ServerFields = Pick<Stream, 'database' | 'guarantee' | 'url' | 'image'>;

/** Before an image is pulled. @throws TopoBenchError `TB_STORE_NO_TRANSACTIONS` */
export function requireFitImage({ database: engine, guarantee, url, image }: ServerFields, flags: ServerUrls): void {
  if (guarantee !== 'exactly-once') return;
  if (isImageWithoutTransactions({ engine, url, image, flags })) throw noTransactions(engine);
}

/** Before a run: asks a server that already runs. @throws TopoBenchError `TB_STORE_NO_TRANSACTIONS` */
export async function requireTransactions(stream: ServerFields, flags: ServerUrls): Promise<void> {
  const { database: engine, guarantee, url, image } = stream;
  if (guarantee !== 'exactly-once') return;
  if ((await expectTransactions({ engine, url, image, flags })) === false) throw noTransactions(engine);
}

/** On a server that the run has started. @throws TopoBenchError `TB_STORE_NO_TRANSACTIONS` */
export async function checkTransactions({ database: engine, guarantee }: Stream, url: string): Promise<void> {
  if (guarantee === 'exactly-once' && !(await hasTransactions({ engine, url }))) throw noTransactions(engine);
}

function noTransactions(engine: StoreEngine): TopoBenchError {
  const { flag } = engines[engine];
  const message = '`guarantee: exactly-once` needs transactions, which a server outside a replica set does not have';
  const hint = `name a server of a replica set with ${flag}, or set \`guarantee: at-least-once\``;
  return new TopoBenchError('TB_STORE_NO_TRANSACTIONS', message, { hint });
}
