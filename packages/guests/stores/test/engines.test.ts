import { engineOf, enginesOf, itemEngines, storeConfigurations, storeEngines } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { engines } from '../src/engines.ts';

describe('the engines', () => {
  it('cover every configuration, each with a default', () => {
    for (const store of storeConfigurations)
      expect([store, enginesOf[store]]).toEqual([store, expect.arrayContaining([engineOf({ store })])]);
  });

  it('differ in protocol and flag', () => {
    const protocols = storeEngines.flatMap((engine) => Object.keys(engines[engine].protocols));
    const flags = storeEngines.map((engine) => engines[engine].flag);
    expect(new Set(protocols).size).toBe(protocols.length);
    expect(new Set(flags).size).toBe(flags.length);
  });

  const isItemEngine = (engine: string): boolean => (itemEngines as readonly string[]).includes(engine);

  it.each(storeEngines)('%s describes its data by configurations or by its own name', (engine) => {
    const own = storeConfigurations.filter((store) => engineOf({ store }) === engine);
    const { keeps } = engines[engine];
    if (!isItemEngine(engine)) return expect(keeps).toContain(`database: ${engine}`);
    if (own.length === 0) expect(keeps).toContain(`engine: ${engine}`);
    for (const store of own) expect(keeps).toMatch(new RegExp(`\\b(${store}|${store.split('-')[0]}-\\*)`));
  });
});
