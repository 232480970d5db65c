import { afterEach, expect, it, vi } from 'vitest';
import { saveText } from '../../src/browser/save-text.ts';
import type { Start } from '../../src/browser/start.ts';
import { type PageState, Store } from '../../src/browser/store.ts';

afterEach(() => vi.unstubAllGlobals());

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
