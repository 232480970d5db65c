import { describe, expect, it, vi } from 'vitest';
import { ProtocolError } from '../../src/open/response-head.ts';
import { ResponseParser } from '../../src/open/response-parser.ts';

/** Parses the pieces of one response; the connection is closed after them when `closed`. */
function parse(
  pieces: readonly Buffer[],
  { method = 'POST', closed = false }: { method?: string; closed?: boolean; whole?: boolean } = {},
) {
  const parser = new ResponseParser({ wantedHeader: 'x-topo-rtt-us', maxBodyBytes: 1e9 });
  parser.expect(method);
  let response = pieces.map((piece) => parser.push(piece)).find((value) => value !== undefined);
  if (closed) response ??= parser.close();
  return response && { ...response, body: Buffer.concat(response.body).toString() };
}

const head = (...fields: string[]) => `${['HTTP/1.1 200 OK', ...fields].join('\r\n')}\r\n\r\n`;
const plain = { status: 200, header: undefined, body: '', reusable: true, keepAliveSeconds: undefined };

const cases: [string, string, object, Parameters<typeof parse>[1]?][] = [
  ['a body of stated length', `${head('Content-Length: 5')}hello`, { ...plain, body: 'hello' }],
  ['an empty body', head('content-length: 0'), plain],
  [
    'chunks, extensions and trailers',
    chunked('5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nx: y\r\n\r\n'),
    { ...plain, body: 'hello world' },
  ],
  ['chunks without trailers', chunked('3\r\na\r\n\r\n0\r\n\r\n'), { ...plain, body: 'a\r\n' }],
  ['no body for HEAD', head('content-length: 5'), plain, { method: 'HEAD' }],
  ['no body for 204', 'HTTP/1.1 204 No Content\r\n\r\n', { ...plain, status: 204 }],
  ['no body for 304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', { ...plain, status: 304 }],
  ['a body until the end', `${head()}all of it`, { ...plain, body: 'all of it', reusable: false }, { closed: true }],
  [
    'interim responses',
    `HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${head('content-length: 0')}`,
    plain,
  ],
  [
    'ten thousand interim responses',
    `${'HTTP/1.1 102 Processing\n\n'.repeat(10_000)}${head('content-length: 0')}`,
    plain,
    { whole: true },
  ],
  [
    'lines that end with a line feed alone',
    'HTTP/1.1 200 OK\ncontent-length: 4\nx: y\n\na\n\nb',
    { ...plain, body: 'a\n\nb' },
  ],
  [
    'chunks whose lines end with a line feed alone',
    'HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n1\na\n0\n\n',
    { ...plain, body: 'a' },
  ],
  ['a body with empty lines', `${head('content-length: 5')}\n\n\r\n\n`, { ...plain, body: '\n\n\r\n\n' }],
  ['the same length twice', `${head('content-length: 2', 'content-length: 2, 2')}ab`, { ...plain, body: 'ab' }],
  ['a folded line', `${head('transfer-encoding:', '  chunked')}0\r\n\r\n`, plain],
  ['the wanted header', head('X-Topo-RTT-us:  1234 ', 'content-length: 0'), { ...plain, header: '1234' }],
  ['the end of keep-alive', head('Connection: close', 'content-length: 0'), { ...plain, reusable: false }],
  [
    'the timeout of idle connections',
    head('keep-alive: timeout=7, max=9', 'content-length: 0'),
    { ...plain, keepAliveSeconds: 7 },
  ],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', { ...plain, reusable: false }],
  ['HTTP/1.0 with keep-alive', 'HTTP/1.0 200\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n', plain],
];

function chunked(body: string): string {
  return `${head('Transfer-Encoding: chunked')}${body}`;
}

describe('the response parser', () => {
  it.each(cases)('reads %s, in chunks of any size', (_what, text, expected, options) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(parse([bytes], options)).toEqual(expected);
    if (options?.whole) return;
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)], options)).toEqual(expected);
    }
    expect(
      parse(
        Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)),
        options,
      ),
    ).toEqual(expected);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a length that is not a number', head('content-length: many')],
    ['an empty length', head('content-length:')],
    ['a negative length', head('content-length: -1')],
    ['two different lengths', head('content-length: 2', 'Content-Length: 3')],
    ['both a length and chunks', head('content-length: 2', 'transfer-encoding: chunked')],
    ['a length of a body in other codings', head('content-length: 2', 'transfer-encoding: chunked, gzip')],
    ['a status below 100', 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n'],
    ['a header line without a colon', head('content-length 2')],
    ['a header name with a space behind it', head('content-length : 2')],
    ['a switch to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
    ['more bytes than stated', `${head('content-length: 2')}abc`],
    ['a chunk without a size', chunked('zz\r\n')],
    ['a chunk size with other characters behind it', chunked('5g\r\n')],
    ['a chunk longer than its size', chunked('2\r\nabc\r\n')],
    ['bytes after the last chunk', chunked('0\r\n\r\nHTTP/1.1')],
    ['a line between chunks without end', chunked('5;'.padEnd(70_000, 'a'))],
    ['a head without end', 'HTTP/1.1 200 OK\r\nx: '.padEnd(70_000, 'a')],
  ])('refuses %s', (_what, text) => {
    expect(() => parse([Buffer.from(text)])).toThrow(ProtocolError);
  });

  it.each([1, 8])('copies no more of a chunk when the body is %d times as large', (times) => {
    const size = times * 1024 * 1024;
    const piece = Buffer.alloc(16 * 1024, 'a');
    const concat = vi.spyOn(Buffer, 'concat');
    const first = Buffer.from(chunked(`${size.toString(16)}\r\n`));
    const pieces = [first, ...Array.from({ length: size / piece.length }, () => piece), Buffer.from('\r\n0\r\n\r\n')];
    const parser = new ResponseParser({ wantedHeader: 'x-topo-rtt-us', maxBodyBytes: 1e9 });
    parser.expect('GET');
    const response = pieces.map((bytes) => parser.push(bytes)).at(-1);
    const copied = concat.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    concat.mockRestore();
    expect(response?.body.reduce((sum, { length }) => sum + length, 0)).toBe(size);
    expect(copied).toBeLessThanOrEqual(piece.length);
  });

  it.each([
    ['the banner of a mail server', '220 mail.example ESMTP\r\n', '220 mail.example ESMTP\\r\\n'],
    ['settings of HTTP/2', '\0\0\x12\x04\0\0\0\0\0', '\\u0000\\u0000\\u0012\\u0004'],
    ['a record of TLS', '\x16\x03', '\\u0016\\u0003'],
    ['a byte above ASCII', '\xff', '"\\xff"'],
    ['a status line without a status', 'HTTP/1.1 OK\r\n', 'HTTP/1.1 OK'],
  ])('refuses %s at its first bytes, and shows them', (_what, text, first) => {
    expect(() => parse([Buffer.from(text, 'latin1')])).toThrow(first);
  });

  it('does not accept a truncated response', () => {
    expect(parse([Buffer.from(`${head('content-length: 5')}hel`)], { closed: true })).toBeUndefined();
    expect(parse([Buffer.from('HTTP/1.1 200 OK\r\n')], { closed: true })).toBeUndefined();
  });

  it.each([
    ['a stated length', `${head('content-length: 6')}`, 'abcdef'],
    ['one chunk', chunked('6\r\n'), 'abcdef\r\n0\r\n\r\n'],
    ['no length', head(), 'abcdef'],
  ])('drops a body of %s that is not read, and limits one that is kept', (_what, first, rest) => {
    const pieces = [first, rest].map((text) => Buffer.from(text));
    const parsed = (maxBodyBytes?: number) => {
      const parser = new ResponseParser({ wantedHeader: 'x-a', maxBodyBytes });
      parser.expect('GET');
      return pieces.map((piece) => parser.push(piece)).at(-1) ?? parser.close();
    };
    expect(parsed()).toMatchObject({ status: 200, body: [] });
    expect(Buffer.concat(parsed(6)?.body ?? []).toString()).toBe('abcdef');
    expect(() => parsed(5)).toThrow('body too large: expected at most 5 bytes');
  });

  it('reads consecutive responses', () => {
    const parser = new ResponseParser({ wantedHeader: 'x-topo-rtt-us', maxBodyBytes: 1e9 });
    for (const [text, body] of [
      [`${head()}open end`, undefined],
      [`${head('content-length: 2')}ab`, 'ab'],
      [chunked('1\r\nc\r\n0\r\n\r\n'), 'c'],
    ] as const) {
      parser.expect('GET');
      const response = parser.push(Buffer.from(text));
      expect(response && Buffer.concat(response.body).toString()).toBe(body);
    }
  });
});
