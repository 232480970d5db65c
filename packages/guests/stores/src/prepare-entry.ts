/**
 * Fills the stores of a generated deployment, in a container that runs before its services: `prepare-stores.js FILE`,
 * with a list of `StoreToFill`. A server that is still starting is awaited.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreToFill } from './deployed-stores.ts';
import { engines } from './engines.ts';
import { prepareStore } from './prepare-store.ts';
import { withoutPasswords } from './servers/connection-strings.ts';

const pauseMs = 500;
const pingTimeoutMs = 5000;

async function fill({ service, engine, url, configuration, dataset, storeUrl, readyTimeoutMs }: StoreToFill) {
  const { ping } = await engines[engine].ping();
  const deadlineMs = performance.now() + readyTimeoutMs;
  for (;;) {
    const failure = await ping(url, pingTimeoutMs).then(() => undefined, String);
    if (failure === undefined) break;
    if (performance.now() > deadlineMs) throw new Error(`${engine} does not answer: ${failure}`);
    await sleep(pauseMs);
  }
  const prepared = await prepareStore({ url, configuration, dataset, service });
  if (prepared.url !== storeUrl) throw new Error(`the service ${service} would look for its store elsewhere`);
  console.log(`${service}: ${prepared.rows} rows`);
}

try {
  const [file = ''] = process.argv.slice(2);
  const stores = JSON.parse(readFileSync(file, 'utf8')) as StoreToFill[];
  for (const store of stores) await fill(store);
} catch (error) {
  console.error(withoutPasswords(`cannot fill the stores: ${(error as Error).message}`));
  process.exitCode = 1;
}
