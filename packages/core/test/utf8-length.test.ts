import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../src/utf8-length.ts';

describe('the length of a text in UTF-8', () => {
  it('equals the number of bytes that Node.js writes, also for unpaired surrogates', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xd83d, 0xde00),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = String.fromCharCode(...units);
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 5000, seed: 20_261_126 },
    );
  });
});
