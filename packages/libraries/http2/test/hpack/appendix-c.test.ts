import { expect, it } from 'vitest';
import { HpackDecoder } from '../../src/hpack/decoder.ts';
import { encodeHeaders } from '../../src/hpack/encoder.ts';
import type { HeaderField } from '../../src/hpack/field.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** `name: value` a line. */
function fieldsOf(lines: string): HeaderField[] {
  return lines.split('\n').map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)] as const;
  });
}

/** The dynamic table, the newest first: what the indexes after those of the static table stand for. */
function tableOf(decoder: HpackDecoder): HeaderField[] {
  const fields: HeaderField[] = [];
  try {
    for (let index = 62; ; index++) fields.push(...decoder.decode(Buffer.from([0x80 | index])).fields);
  } catch {
    return fields;
  }
}

interface Step {
  fields: string;
  plain: string;
  huffman: string;
  /** The table after it. */
  table: string;
}

const authority = ':authority: www.example.com';
const requests: Step[] = [
  {
    fields: `:method: GET\n:scheme: http\n:path: /\n${authority}`,
    plain: '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
    huffman: '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
    table: authority,
  },
  {
    fields: `:method: GET\n:scheme: http\n:path: /\n${authority}\ncache-control: no-cache`,
    plain: '8286 84be 5808 6e6f 2d63 6163 6865',
    huffman: '8286 84be 5886 a8eb 1064 9cbf',
    table: `cache-control: no-cache\n${authority}`,
  },
  {
    fields: `:method: GET\n:scheme: https\n:path: /index.html\n${authority}\ncustom-key: custom-value`,
    plain: '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    huffman: '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    table: `custom-key: custom-value\ncache-control: no-cache\n${authority}`,
  },
];

const date = (second: number): string => `date: Mon, 21 Oct 2013 20:13:2${second} GMT`;
const location = 'location: https://www.example.com';
const cookie = 'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1';
const responses: Step[] = [
  {
    fields: `:status: 302\ncache-control: private\n${date(1)}\n${location}`,
    plain:
      '4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
    huffman:
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
    table: `${location}\n${date(1)}\ncache-control: private\n:status: 302`,
  },
  {
    fields: `:status: 307\ncache-control: private\n${date(1)}\n${location}`,
    plain: '4803 3330 37c1 c0bf',
    huffman: '4883 640e ffc1 c0bf',
    table: `:status: 307\n${location}\n${date(1)}\ncache-control: private`,
  },
  {
    fields: `:status: 200\ncache-control: private\n${date(2)}\n${location}\ncontent-encoding: gzip\n${cookie}`,
    plain:
      '88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31',
    huffman:
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
    table: `${cookie}\ncontent-encoding: gzip\n${date(2)}`,
  },
];

it.each([
  { section: 'C.3', what: 'requests', coding: 'plain', tableBytes: 4096, steps: requests },
  { section: 'C.4', what: 'requests', coding: 'huffman', tableBytes: 4096, steps: requests },
  {
    section: 'C.5',
    what: 'responses that fill a table of 256 bytes',
    coding: 'plain',
    tableBytes: 256,
    steps: responses,
  },
  {
    section: 'C.6',
    what: 'responses that fill a table of 256 bytes',
    coding: 'huffman',
    tableBytes: 256,
    steps: responses,
  },
] as const)('reads the examples of RFC 7541, $section: $what ($coding)', ({ coding, tableBytes, steps }) => {
  const blocks = steps.map((step) => bytes(step[coding]));
  const decoder = new HpackDecoder({ tableBytes });
  for (const [i, step] of steps.entries()) {
    expect(decoder.decode(blocks[i] as Buffer)).toEqual({ fields: fieldsOf(step.fields), isTooLong: false });
    const replay = new HpackDecoder({ tableBytes });
    for (const block of blocks.slice(0, i + 1)) replay.decode(block);
    expect(tableOf(replay)).toEqual(fieldsOf(step.table));
  }
});

it('decodes the representations of RFC 7541, C.2, and adds only the one with indexing to the table', () => {
  const decoder = new HpackDecoder();
  const read = (hex: string): HeaderField[] => decoder.decode(bytes(hex)).fields;
  expect(read('400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572')).toEqual([
    ['custom-key', 'custom-header'],
  ]);
  expect(read('040c 2f73 616d 706c 652f 7061 7468')).toEqual([[':path', '/sample/path']]);
  expect(read('1008 7061 7373 776f 7264 0673 6563 7265 74')).toEqual([['password', 'secret']]);
  expect(read('82')).toEqual([[':method', 'GET']]);
  expect(tableOf(decoder)).toEqual([['custom-key', 'custom-header']]);
});

it('writes the representations of RFC 7541, C.2, that need no table', () => {
  const hex = (field: HeaderField): string => encodeHeaders([field]).toString('hex');
  expect(hex([':path', '/sample/path'])).toBe('040c2f73616d706c652f70617468');
  expect(hex([':method', 'GET'])).toBe('82');
  expect(hex(['authorization', 'x'])).toBe('1f080178');
});

it('encodes strings of every length by RFC 7541, 5.1', () => {
  const lengthOf = (length: number): string =>
    encodeHeaders([['a', 'x'.repeat(length)]])
      .toString('hex', 3)
      .split('78')[0] as string;
  const expected = {
    0: '00',
    126: '7e',
    127: '7f00',
    254: '7f7f',
    255: '7f8001',
    1337: '7fba09',
    16510: '7fff7f',
    16511: '7f808001',
  };
  for (const [length, hex] of Object.entries(expected)) expect(lengthOf(Number(length))).toBe(hex);
});
