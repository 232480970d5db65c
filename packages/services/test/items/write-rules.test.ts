import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@topo-bench/stores/open-store';
import { seededItem } from '@topo-bench/stores/seeded-items';
import type { Store } from '@topo-bench/stores/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type StoreCase, startServers, type TestServers } from '../../../stores/test/test-servers.ts';
import type { RuleParts } from '../deployment.ts';
import { type Bundle, bundleEntry, RoleProcess } from '../role-process.ts';
import { ask, dataset, type ItemService, itemServiceConfig, startItemService } from './item-service.ts';

const topology = {
  nodes: [{ name: 'a', region: 'eu' }],
  enforcement: { architecture: 'sidecar' as const, engine: 'compiled' as const },
};
const rules: RuleParts = {
  rules: [
    {
      id: 'eu-data-stays',
      effect: 'deny',
      when: {
        all: [
          { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' },
          { fact: 'target', path: '$.region', operator: 'notEqual', value: 'eu' },
        ],
      },
    },
    {
      id: 'no-secret-customers',
      effect: 'deny',
      when: { all: [{ fact: 'request', path: '$.payload.customer', operator: 'equal', value: 'secret' }] },
    },
    {
      id: 'no-notes-for-marketing',
      effect: 'redact',
      redact: { remove: ['/note'], pseudonymise: ['/customer'] },
      when: { all: [{ fact: 'request', path: '$.purpose', operator: 'equal', value: 'marketing' }] },
    },
  ],
};
const item = (id: string, customer = 'ann') => ({
  id,
  customer,
  status: 'open',
  totalCents: 5,
  note: 'ring twice',
  createdAt: '2026-03-01T00:00:00.000Z',
});

const cases: StoreCase[] = [
  { configuration: 'sql-indexed', engine: 'postgresql' },
  { configuration: 'hybrid-indexed', engine: 'postgresql' },
  { configuration: 'document', engine: 'mongodb' },
  { configuration: 'sql-indexed', engine: 'mysql' },
  { configuration: 'key-value', engine: 'redis' },
];

let servers: TestServers;
let bundle: Bundle;
beforeAll(async () => {
  [servers, bundle] = await Promise.all([startServers(['postgresql', 'mongodb', 'mysql', 'redis']), bundleEntry()]);
});
afterAll(async () => {
  await Promise.all([servers?.stop(), bundle?.remove()]);
});

describe.each(cases)('rules before a write to $configuration on $engine', ({ configuration, engine }) => {
  let service: ItemService;
  /** Looks past the service. */
  let store: Store;

  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    if (reason) skip(reason);
  });
  beforeAll(async () => {
    if (servers.missing(engine)) return;
    const serverUrl = servers.get(engine).url;
    const persistence = { region: 'us' };
    service = await startItemService({ configuration, engine, framework: 'fastify', serverUrl, topology, rules, persistence });
    store = await openStore({ ...service.config.persistence!.store, poolSize: 1 });
  });
  afterAll(async () => {
    await Promise.all([service?.close(), store?.close()]);
  });

  it('see the region of the store, which is not that of the service, and keep what they refuse out of it', async () => {
    const refused = await service.ask('POST', '/items', item('o-1'), { 'x-topo-origin': 'eu' });
    expect(refused).toMatchObject({ status: 451, body: { error: 'refused' } });
    expect(refused.body.message).toContain('eu-data-stays');
    expect(await store.get('o-1')).toBeUndefined();
    expect((await service.ask('POST', '/items', item('o-2'), { 'x-topo-origin': 'us' })).status).toBe(201);
    expect(await store.get('o-2')).toMatchObject({ customer: 'ann' });
  });

  it('refuse a replacement, and leave what was there', async () => {
    const before = seededItem(dataset.seed, 4, dataset.rows);
    const replaced = await service.ask('PUT', `/items/${before.id}`, { ...item(before.id, 'secret') });
    expect(replaced.status).toBe(451);
    expect(await store.get(before.id)).toEqual(before);
  });

  it('let only the redacted form of an item reach the store', async () => {
    const { status, body } = await service.ask('POST', '/items', item('o-3'), { 'x-topo-purpose': 'marketing' });
    expect([status, body.note]).toEqual([201, '']);
    const kept = await store.get('o-3');
    expect(kept?.note).toBe('');
    expect(kept?.customer).toMatch(/^[0-9a-f]{64}$/);
  });
});

/** Customer and purpose of what is written in turn: kept, refused, redacted. */
const writes = [
  ['ann', 'contract'],
  ['secret', 'contract'],
  ['ann', 'marketing'],
];

describe('a service that is killed between its writes', () => {
  it('has put nothing into the store that rules refuse, and lost nothing that it had acknowledged', async () => {
    const serverUrl = servers.get('postgresql').url;
    const config = await itemServiceConfig({
      configuration: 'sql-indexed',
      engine: 'postgresql',
      framework: 'node',
      serverUrl,
      topology,
      rules,
    });
    const acknowledged: string[] = [];
    const redacted: string[] = [];
    let refused = 0;
    for (let round = 0; round < 3; round++) {
      const role = new RoleProcess(bundle.file);
      const { url } = await role.listening(config);
      role.write('{"peers":{}}\n');
      await role.line();
      let alive = true;
      const writer = async (name: string): Promise<void> => {
        for (let number = 0; alive; number++) {
          const id = `w-${round}-${name}-${number}`;
          const [customer, purpose] = writes[number % writes.length] as [string, string];
          if (purpose === 'marketing') redacted.push(id);
          const headers = { 'x-topo-purpose': purpose };
          const answer = await ask(url, 'POST', '/items', item(id, customer), headers).catch(() => undefined);
          if (answer?.status === 201) acknowledged.push(id);
          if (answer?.status === 451) refused++;
        }
      };
      const before = acknowledged.length;
      const writers = Array.from({ length: 16 }, (_, name) => writer(String(name)));
      while (acknowledged.length < before + 100) await sleep(5);
      role.child.kill('SIGKILL');
      await role.exit;
      alive = false;
      await Promise.all(writers);
    }
    const store = await openStore({ ...config.persistence!.store, poolSize: 4 });
    try {
      expect(await store.query({ customer: 'secret', limit: 10 })).toEqual([]);
      // Acknowledged or not: what is there of them is there in its redacted form.
      const there = (await Promise.all(redacted.map((id) => store.get(id)))).filter((one) => one !== undefined);
      expect(there.filter(({ note, customer }) => note !== '' || customer === 'ann')).toEqual([]);
      expect(there.length).toBeGreaterThan(100);
      const kept = await Promise.all(acknowledged.map((id) => store.get(id)));
      expect(kept.filter((one) => one === undefined)).toEqual([]);
    } finally {
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    expect(refused).toBeGreaterThan(100);
  });
}, 60_000);
