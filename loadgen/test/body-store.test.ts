import { describe, expect, it } from 'vitest';
import { BodyStore, bodyOf } from '../src/body-store.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (body: Uint8Array | undefined) => body && new TextDecoder().decode(body);

describe('response bodies', () => {
  it('are returned by row, whatever the order and chunks of their arrival', () => {
    const store = new BodyStore();
    store.add(2, [bytes('two'), bytes(' and a half')]);
    store.add(0, [bytes('zero')]);
    const stored = store.stored(4);
    expect([0, 1, 2, 3].map((row) => text(bodyOf(stored, row)))).toEqual([
      'zero',
      undefined,
      'two and a half',
      undefined,
    ]);
  });

  it('may be larger than the buffers', () => {
    const store = new BodyStore();
    const sizes = [3_000_000, 3_000_000, 9_000_000, 5];
    for (const [row, size] of sizes.entries()) store.add(row, [new Uint8Array(size).fill(row + 1)]);
    const stored = store.stored(sizes.length);
    for (const [row, size] of sizes.entries()) {
      const body = bodyOf(stored, row);
      expect([body?.length, body?.[0], body?.at(-1)]).toEqual([size, row + 1, row + 1]);
    }
  });

  it('are copies: reuse of the socket buffer does not change them', () => {
    const store = new BodyStore();
    const chunk = bytes('before');
    store.add(0, [chunk]);
    chunk.fill(0);
    expect(text(bodyOf(store.stored(1), 0))).toBe('before');
  });
});
