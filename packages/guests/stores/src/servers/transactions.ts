/** Whether a server has transactions, found out before a run starts it. */
import { engines } from '../engines.ts';
import { hasTransactions } from '../heat-map/open-heat-map.ts';
import { namedServer } from './connection-strings.ts';
import type { StartServerOptions } from './start-server.ts';

/**
 * Asks a user-supplied server. @returns undefined where only the running server knows: that of an unknown image
 * @throws TopoBenchError `TB_STORE_URL`; the driver's error when a user-supplied server does not answer
 */
export async function expectTransactions(options: StartServerOptions): Promise<boolean | undefined> {
  const { engine, url, image, flags = {} } = options;
  const named = namedServer(engine, { flag: flags[engine], file: url });
  if (named) return hasTransactions({ engine, url: named.url });
  if (image !== undefined) return isImageWithoutTransactions(options) ? false : undefined;
  const { findServer } = await engines[engine].server();
  return (await findServer())?.withoutTransactions !== true;
}

/** Whether the server would be that of an image which is known to have none. A connection string overrides an image. */
export function isImageWithoutTransactions({ engine, url, image, flags = {} }: StartServerOptions): boolean {
  if (image === undefined || namedServer(engine, { flag: flags[engine], file: url })) return false;
  return engines[engine].image?.withoutTransactions?.test(image) ?? false;
}
