import { afterEach, expect, it, vi } from 'vitest';
import { MessageMemory } from '../../src/grpc/message-memory.ts';

it('reuses released memory for messages of similar size', () => {
  const memory = new MessageMemory();
  const first = memory.allocate(100_000);
  memory.release(first.subarray(3));
  const second = memory.allocate(100_007);
  expect(second.buffer).toBe(first.buffer);
  memory.release(second);
  expect(memory.allocate(40_000).buffer).not.toBe(first.buffer);
  expect(memory.allocate(110_000).buffer).not.toBe(first.buffer);
});

it('never allocates the same memory twice, even after a double release', () => {
  const memory = new MessageMemory();
  const first = memory.allocate(50_000);
  memory.release(first);
  memory.release(first);
  expect(memory.allocate(50_000).buffer).not.toBe(memory.allocate(50_000).buffer);
});

it('ignores foreign memory, such as the Node.js pool for small messages', () => {
  const memory = new MessageMemory();
  const foreign = [Buffer.allocUnsafe(100), memory.allocate(100), Buffer.alloc(50_000)];
  for (const message of foreign) memory.release(message);
  // Smaller ones share memory with others, as Node.js gives it out.
  for (const bytes of [16_384, 50_000]) {
    expect(foreign.map(({ buffer }) => buffer)).not.toContain(memory.allocate(bytes).buffer);
  }
});

it('keeps a bounded amount, and one message of any size', () => {
  const memory = new MessageMemory();
  const mebibyte = 1024 ** 2;
  const many = Array.from({ length: 200 }, () => memory.allocate(mebibyte));
  for (const message of many) memory.release(message);
  const buffers = new Set(many.map(({ buffer }) => buffer));
  const again = Array.from({ length: 200 }, () => memory.allocate(mebibyte).buffer);
  expect(again.filter((buffer) => buffers.has(buffer))).toHaveLength(128);
  const large = memory.allocate(160 * mebibyte);
  memory.release(large);
  expect(memory.allocate(160 * mebibyte).buffer).toBe(large.buffer);
});

afterEach(() => {
  vi.useRealTimers();
});

it('drops memory after ten idle seconds, not earlier', () => {
  vi.useFakeTimers();
  const memory = new MessageMemory();
  const first = memory.allocate(100_000);
  for (let use = 0; use < 5; use++) {
    memory.release(first);
    vi.advanceTimersByTime(9_000);
    expect(memory.allocate(100_000).buffer).toBe(first.buffer);
  }
  memory.release(first);
  vi.advanceTimersByTime(30_000);
  expect(memory.allocate(100_000).buffer).not.toBe(first.buffer);
  expect(vi.getTimerCount()).toBe(0);
});
