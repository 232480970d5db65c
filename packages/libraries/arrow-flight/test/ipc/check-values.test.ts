import { expect, test } from 'vitest';
import { checkOffsets32, checkOffsets64 } from '../../src/ipc/check-values.ts';

/** Each with the bytes or values that there are. */
test.each([
  ['nothing', [0], 0],
  ['the beginning of what there is', [0, 2, 2, 5], 9],
  ['a part of it', [3, 5], 5],
])('offsets may lead to %s', (_, offsets, limit) => {
  expect(() => checkOffsets32(Int32Array.from(offsets), limit)).not.toThrow();
  expect([...checkOffsets64(BigInt64Array.from(offsets.map(BigInt)), limit)]).toEqual(offsets);
});

test.each([
  ['begin below 0', [-1, 0, 2], 9],
  ['fall at once', [3, 2, 4], 9],
  ['fall at the end', [0, 4, 3], 9],
  ['go back below 0', [0, 4, -4], 9],
  ['lead one beyond what there is', [0, 4, 10], 9],
  ['lead beyond it alone', [10], 9],
])('offsets that %s are refused', (_, offsets, limit) => {
  expect(() => checkOffsets32(Int32Array.from(offsets), limit)).toThrow('its offsets');
  expect(() => checkOffsets64(BigInt64Array.from(offsets.map(BigInt)), limit)).toThrow('its offsets');
});
