import { describe, expect, it } from 'vitest';
import { requestMessage } from '../../src/open/request-message.ts';

const target = new URL('http://example.test:81/p?q=1');

describe('a request message', () => {
  it('has user-supplied headers in their order, twice where they are given twice', () => {
    const headers = [
      ['Host', 'other'],
      ['X-A', 'one'],
      ['accept', '*/*'],
      ['x-a', 'zwölf'],
    ] as const;
    const message = requestMessage(target, 'POST', headers)(Buffer.from('abc'));
    expect(message.toString()).toBe(
      'POST /p?q=1 HTTP/1.1\r\nHost: other\r\nX-A: one\r\naccept: */*\r\nx-a: zwölf\r\ncontent-length: 3\r\n\r\nabc',
    );
  });

  it.each([
    ['FETCH', [], '"FETCH" is not an HTTP method'],
    ['CONNECT', [], 'opens a tunnel'],
    ['GET', [['a b', 'c']], 'header "a b": expected a name'],
    ['GET', [['a', 'b\r\nc: d']], 'header a: got a control character'],
    ['GET', [['a', 'b\n']], 'header a: got a control character'],
    ['GET', [['a', 'b\0']], 'header a: got a control character'],
    ['GET', [['Content-Length', '3']], 'header Content-Length: got a value, but the driver states'],
    ['GET', [['transfer-encoding', 'chunked']], 'header transfer-encoding: got a value'],
    ['GET', [['Connection', 'close']], 'header Connection: got a value, but the driver manages its connections'],
    ['GET', [['expect', '100-continue']], 'header expect: got a value'],
    [
      'GET',
      [
        ['host', 'a'],
        ['Host', 'b'],
      ],
      'header host: got it twice',
    ],
  ] as [string, [string, string][], string][])('is refused for %s %j', (method, headers, message) => {
    expect(() => requestMessage(target, method, headers)).toThrow(
      expect.objectContaining({ code: 'TB_USAGE', message: expect.stringContaining(message) }),
    );
  });
});
