import { headers, itemEngines } from '@topo-bench/core';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { sharedServers, storeCases, type TestServers } from '../../../guests/stores/test/fixtures/test-servers.ts';
import { startRole } from '../../src/start-role.ts';
import { ask, itemServiceConfigs } from './item-service.ts';
import { order, seeded } from './orders.ts';
import { type StoreProxy, startProxy } from './store-proxy.ts';

let servers: TestServers;
beforeAll(async () => {
  servers = await sharedServers(itemEngines);
});
// Side by side: most of their time passes in waiting.
describe.concurrent.each(storeCases)('when $configuration on $engine does not answer', ({ configuration, engine }) => {
  let proxy: StoreProxy;
  let url: string;
  let token: Record<string, string>;
  let close: () => Promise<void>;

  beforeAll(async () => {
    if (servers.missing(engine)) return;
    const persistence = { pool: 3, wait: '1500ms', timeout: '1500ms' };
    const framework = 'node';
    const serverUrl = servers.get(engine).url;
    const configs = await itemServiceConfigs({ configuration, engine, framework, serverUrl, persistence });
    const config = configs[0]!;
    token = { [headers.token]: config.secrets.clientToken };
    const store = config.secrets.store!;
    proxy = await startProxy(Number(/127\.0\.0\.1:(\d+)/.exec(store.url)?.[1]));
    store.url = store.url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);
    // Its client would continue at the address that the server names.
    if (engine === 'mongodb') store.url += '&directConnection=true';
    const role = await startRole(config, () => {});
    url = role.url;
    close = () => role.close(1000);
  });

  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    if (reason) skip(reason);
  });

  afterAll(async () => {
    await close?.();
    await proxy?.stop();
  });

  it('answers 503 while the store is silent or down, and recovers when it is back', async ({ expect }) => {
    const id = seeded[0]!.id;
    const every = async (): Promise<number[]> => {
      const requests: [string, string, unknown?][] = [
        ['GET', `/items/${id}`],
        ['GET', '/items?limit=3'],
        ['GET', '/items/stats'],
        ['PUT', `/items/${id}`, { ...seeded[0], note: 'again' }],
        ['POST', '/items', { ...order, id: `new-${Math.random()}`.replace('.', '') }],
        ['DELETE', '/items/none'],
      ];
      return (await Promise.all(requests.map(([method, path, body]) => ask(url, method, path, body, token)))).map(
        ({ status }) => status,
      );
    };
    // A busy machine may need longer than the service waits, the first time.
    await expect.poll(every, { timeout: 15_000 }).toEqual([200, 200, 200, 200, 201, 404]);
    proxy.silence();
    expect(await every()).toEqual([503, 503, 503, 503, 503, 503]);
    proxy.cut();
    expect(await every()).toEqual([503, 503, 503, 503, 503, 503]);
    const { body, headers: answered } = await ask(url, 'GET', `/items/${id}`, undefined, token);
    expect(body).toEqual({ error: 'store-unavailable', message: 'the store does not answer' });
    expect(answered.get('retry-after')).toBe('1');
    expect((await ask(url, 'GET', '/health')).status).toBe(200);
    proxy.restore();
    await expect
      .poll(async () => (await ask(url, 'GET', `/items/${id}`, undefined, token)).status, { timeout: 15_000 })
      .toBe(200);
    await expect.poll(every, { timeout: 15_000 }).toEqual([200, 200, 200, 200, 201, 404]);
  });
});
