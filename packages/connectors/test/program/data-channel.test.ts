import { describe, expect, it } from 'vitest';
import { socketPathsOf } from '../../src/program/data-channel.ts';

describe('the data channel of a connector', () => {
  it('is standard output with JSON lines, or sockets with protobuf messages', () => {
    for (const environment of [
      {},
      { DATA_CHANNEL_MEDIUM: '' },
      { DATA_CHANNEL_MEDIUM: 'STDIO', DATA_CHANNEL_FORMAT: 'JSONL' },
    ])
      expect(socketPathsOf(environment)).toBeUndefined();
    const socket = { DATA_CHANNEL_MEDIUM: 'SOCKET', DATA_CHANNEL_FORMAT: 'PROTOBUF' };
    expect(socketPathsOf({ ...socket, DATA_CHANNEL_SOCKET_PATHS: '/a.sock,/b.sock' })).toEqual(['/a.sock', '/b.sock']);
  });

  it.each([
    [{ DATA_CHANNEL_MEDIUM: 'PIPE' }, 'DATA_CHANNEL_MEDIUM: got PIPE, expected STDIO or SOCKET'],
    [{ DATA_CHANNEL_FORMAT: 'PROTOBUF' }, 'DATA_CHANNEL_FORMAT: got PROTOBUF, expected JSONL over STDIO'],
    [
      { DATA_CHANNEL_MEDIUM: 'SOCKET', DATA_CHANNEL_FORMAT: 'JSONL' },
      'DATA_CHANNEL_FORMAT: got JSONL, expected PROTOBUF over SOCKET',
    ],
    [
      { DATA_CHANNEL_MEDIUM: 'SOCKET' },
      'DATA_CHANNEL_SOCKET_PATHS: got no path, expected paths of sockets, with commas',
    ],
  ])('is refused where a platform requests another: %j', (environment, message) => {
    expect(() => socketPathsOf(environment)).toThrow(
      expect.objectContaining({ code: 'TB_USAGE', message, hint: expect.stringContaining('JSON lines') }),
    );
  });
});
