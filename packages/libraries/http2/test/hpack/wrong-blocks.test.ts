import { describe, expect, it } from 'vitest';
import { HpackDecoder, HpackError } from '../../src/hpack/decoder.ts';
import type { HeaderField } from '../../src/hpack/field.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const decode = (hex: string): HeaderField[] => new HpackDecoder().decode(bytes(hex)).fields;

describe('a block is refused', () => {
  it.each([
    ['with index 0', '80'],
    ['with an index past the static table while the other is empty', 'be'],
    ['with a name of no known index', '7f00 0161'],
    ['that ends after the first byte of an integer', 'ff'],
    ['that ends within an integer', 'ff80'],
    ['with an integer that never ends', `ff${'80'.repeat(100)}00`],
    ['with an integer past 2^32', '3fff ffff ff7f'],
    ['that ends before a name', '40'],
    ['that ends before a value', '4001 61'],
    ['with a string longer than the rest', '4001 6102 62'],
    ['with a string of 2^28 bytes', '4001 617f ffff ff7f 61'],
    ['that gives the table a byte more than is allowed', '3fe2 1f'],
    ['that gives the table another size after a field', '82 20'],
    ['with padding of eight ones', '4001 6182 fcff'],
    ['with padding of a byte and no text', '4001 6181 ff'],
    ['with padding of zeros', '4001 6181 18'],
    ['with padding of ones and a zero', '4001 6181 1e'],
    ['with the end mark in a string', '4001 6184 ffff fffc'],
    ['with the end mark and text behind it', '4001 6185 ffff fffc 7f'],
    ['with a string that ends within a symbol', '4001 6183 ffff ff'],
  ])('%s', (_, hex) => {
    expect(() => decode(hex)).toThrow(HpackError);
  });
});

describe('a block is read', () => {
  it.each<[string, string, HeaderField[]]>([
    ['that is empty', '', []],
    ['with an empty name and value', '4000 00', [['', '']]],
    ['with an empty string in Huffman code', '4001 6180', [['a', '']]],
    ['with padding of three ones', '4001 6181 1f', [['a', 'a']]],
    ['with padding of seven ones', '4001 6183 18ee 7f', [['a', 'aa:']]],
    ['with an integer that ends in zeros', '0f80 8000 0161', [['accept-charset', 'a']]],
    ['with bytes that are no ASCII', '4001 6103 e4f6 00', [['a', 'äö\0']]],
    ['that gives the table sizes at its beginning', '20 3fe1 1f 82', [[':method', 'GET']]],
  ])('%s', (_, hex, fields) => {
    expect(decode(hex)).toEqual(fields);
  });
});

describe('the table', () => {
  const add = bytes('4001 6101 62');

  it('is emptied by a size of 0, and stores fields again once that is raised', () => {
    const decoder = new HpackDecoder();
    decoder.decode(add);
    expect(decoder.decode(bytes('be')).fields).toEqual([['a', 'b']]);
    decoder.decode(bytes('20'));
    decoder.decode(bytes('3fe1 1f 4001 6301 64'));
    expect(decoder.decode(bytes('be')).fields).toEqual([['c', 'd']]);
    expect(() => decoder.decode(bytes('bf'))).toThrow(HpackError);
  });

  it('is emptied by a field larger than it, which is no error', () => {
    const decoder = new HpackDecoder({ tableBytes: 64 });
    decoder.decode(add);
    const long = Buffer.concat([bytes('4001 61 28'), Buffer.alloc(40, 'x')]);
    expect(decoder.decode(long).fields).toEqual([['a', 'x'.repeat(40)]]);
    expect(() => decoder.decode(bytes('be'))).toThrow(HpackError);
  });

  it('stores a field that fills it to the last byte, and none that is a byte longer', () => {
    const decoder = new HpackDecoder({ tableBytes: 34 });
    decoder.decode(add);
    expect(decoder.decode(bytes('be')).fields).toEqual([['a', 'b']]);
    decoder.decode(bytes('4001 6102 6262'));
    expect(() => decoder.decode(bytes('be'))).toThrow(HpackError);
  });

  it('gives the name of a field that the new one drives out', () => {
    const decoder = new HpackDecoder({ tableBytes: 40 });
    decoder.decode(add);
    expect(decoder.decode(bytes('7e01 63 be')).fields).toEqual([
      ['a', 'c'],
      ['a', 'c'],
    ]);
  });

  it('stores as many fields as fit, over many times its size', () => {
    const decoder = new HpackDecoder({ tableBytes: 102 }); // Three of 34 bytes.
    for (let i = 0; i < 1000; i++) {
      const letter = Buffer.from([97 + (i % 26)]);
      decoder.decode(Buffer.concat([bytes('4001'), letter, bytes('01'), letter]));
    }
    const letters = ['l', 'k', 'j']; // 999 is 11 modulo 26.
    expect(decoder.decode(bytes('bebf c0')).fields).toEqual(letters.map((letter) => [letter, letter]));
    expect(() => decoder.decode(bytes('c1'))).toThrow(HpackError);
  });
});

describe('a list that is too long', () => {
  it('is cut, and the fields after the cut still enter the table', () => {
    const decoder = new HpackDecoder({ maxListBytes: 2 * 34 });
    const block = bytes('4001 6101 31 4001 6201 32 4001 6301 33');
    expect(decoder.decode(block)).toEqual({
      fields: [
        ['a', '1'],
        ['b', '2'],
      ],
      isTooLong: true,
    });
    expect(decoder.decode(bytes('bebf'))).toEqual({
      fields: [
        ['c', '3'],
        ['b', '2'],
      ],
      isTooLong: false,
    });
  });

  it('takes no more than its bound where each byte of the block stands for four thousand', () => {
    const decoder = new HpackDecoder();
    const name = Buffer.from([0x40, 0x01, 0x61, 0x7f, 0x80 + ((3900 - 127) % 128), Math.floor((3900 - 127) / 128)]);
    decoder.decode(Buffer.concat([name, Buffer.alloc(3900, 'x')]));
    const { fields, isTooLong } = decoder.decode(Buffer.alloc(1_000_000, 0xbe));
    expect(isTooLong).toBe(true);
    expect(fields).toHaveLength(Math.floor(65_536 / 3933));
  });
});
