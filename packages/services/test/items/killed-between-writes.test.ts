import { setTimeout as sleep } from 'node:timers/promises';
import { headers as headerNames } from '@topo-bench/core';
import { openStore } from '@topo-bench/stores';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServers, type TestServers } from '../../../guests/stores/test/fixtures/test-servers.ts';
import { type Bundle, bundleEntry, RoleProcess } from '../role-process.ts';
import { item, rules, topology } from './enforced-orders.ts';
import { ask, facts, itemServiceConfigs } from './item-service.ts';

let servers: TestServers;
let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleEntry();
  servers = await sharedServers(['postgresql']);
});
afterAll(() => bundle?.remove());

/** Customer and purpose of what is written in turn: kept, refused, redacted. */
const writes = [
  ['ann', 'contract'],
  ['secret', 'contract'],
  ['ann', 'marketing'],
];

describe('an enforcement point and its service, killed between writes', () => {
  it('have stored no refused item and lost no acknowledged one', async () => {
    const serverUrl = servers.get('postgresql').url;
    const store = { configuration: 'sql-indexed', engine: 'postgresql' } as const;
    const configs = await itemServiceConfigs({ ...store, framework: 'node', serverUrl, topology, rules });
    const config = configs[0]!;
    const acknowledged: string[] = [];
    const redacted: string[] = [];
    let refused = 0;
    for (let round = 0; round < 3; round++) {
      const roles = configs.map(() => new RoleProcess(bundle.file));
      const ready = await Promise.all(roles.map((role, i) => role.listening(configs[i]!)));
      const peers = Object.fromEntries(ready.map(({ name, url }) => [name, url]));
      for (const role of roles) {
        role.write(`${JSON.stringify({ peers })}\n`);
        await role.line();
      }
      const url = `${ready[1]?.url}/orders`;
      let alive = true;
      const writer = async (name: string): Promise<void> => {
        for (let number = 0; alive; number++) {
          const id = `w-${round}-${name}-${number}`;
          const [customer, purpose] = writes[number % writes.length] as [string, string];
          if (purpose === 'marketing') redacted.push(id);
          const headers = { ...facts, 'x-topo-purpose': purpose, [headerNames.token]: config.secrets.clientToken };
          const answer = await ask(url, 'POST', '/items', item(id, customer), headers).catch(() => undefined);
          if (answer?.status === 201) acknowledged.push(id);
          if (answer?.status === 451) refused++;
        }
      };
      const before = acknowledged.length;
      const writers = Array.from({ length: 16 }, (_, name) => writer(String(name)));
      while (acknowledged.length < before + 100) await sleep(5);
      for (const role of roles) role.child.kill('SIGKILL');
      await Promise.all(roles.map((role) => role.exit));
      alive = false;
      await Promise.all(writers);
    }
    const kept = await openStore({ ...config.persistence!.store, url: config.secrets.store!.url, poolSize: 4 });
    try {
      expect(await kept.query({ customer: 'secret', limit: 10 })).toEqual([]);
      // Acknowledged or not: what is there of them is there in its redacted form.
      const there = (await Promise.all(redacted.map((id) => kept.get(id)))).filter((one) => one !== undefined);
      expect(there.filter(({ note, customer }) => note !== '' || customer === 'ann')).toEqual([]);
      expect(there.length).toBeGreaterThan(100);
      const found = await Promise.all(acknowledged.map((id) => kept.get(id)));
      expect(found.filter((one) => one === undefined)).toEqual([]);
    } finally {
      await kept.close();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    expect(refused).toBeGreaterThan(100);
  });
});
