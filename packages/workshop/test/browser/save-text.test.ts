import { afterEach, expect, it, vi } from 'vitest';
import { saveText } from '../../src/browser/save-text.ts';
import type { Start } from '../../src/browser/start.ts';
import { type PageState, Store } from '../../src/browser/store.ts';

afterEach(() => vi.unstubAllGlobals());

it('leaves rules of a link unsaved where the opened topology has none', async () => {
  const start = { texts: { topology: 'a' } } as Start;
  vi.stubGlobal('fetch', async () => Response.json({ saved: 'topology.yaml' }));
  await saveText(new Store(start, { topology: 'ab', rules: 'of a link' } as PageState));
  expect(start.texts).toEqual({ topology: 'ab' });
});

it('keeps what is typed while the server saves', async () => {
  const start = { texts: { topology: 'a' } } as Start;
  const store = new Store(start, { topology: 'ab' } as PageState);
  vi.stubGlobal('fetch', async () => {
    store.set({ topology: 'abc' });
    return Response.json({ saved: 'topology.yaml' });
  });
  expect(await saveText(store)).toBe('saved topology.yaml');
  expect([store.state.topology, start.texts.topology]).toEqual(['abc', 'ab']);
});
