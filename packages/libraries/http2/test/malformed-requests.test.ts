import { describe, expect, it } from 'vitest';
import { encodeHeaders } from '../src/hpack/encoder.ts';
import type { HeaderField } from '../src/hpack/field.ts';
import { maxCalls, request, requestFields, useProbe } from './fixtures/probe-service.ts';
import { errorCodes, flags, frame, frameTypes, outcomeOf, RawPeer, words } from './fixtures/raw-peer.ts';

const probe = useProbe();

const outcomeFor = async (...sent: Uint8Array[]): Promise<string> =>
  outcomeOf(await RawPeer.answersTo(probe.port, ...sent));

const { data, headers, rstStream } = frameTypes;
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
const headersOf = (stream: number, ...fields: HeaderField[]): Buffer =>
  frame(headers, flags.endHeaders, stream, encodeHeaders(fields));

describe('malformed requests are reset, and the connection lives', () => {
  const without = (left: string): HeaderField[] => requestFields('/t/Wait').filter(([field]) => field !== left);
  const path = '/t/Wait';
  it.each<[string, HeaderField[]]>([
    ['a name in upper case', requestFields(path, ['X-Name', 'a'])],
    ['a name with a space', requestFields(path, ['x name', 'a'])],
    ['an empty name', requestFields(path, ['', 'a'])],
    ['a value with a line break', requestFields(path, ['x-name', 'a\r\nb: c'])],
    ['a value with a zero byte', requestFields(path, ['x-name', 'a\0'])],
    ['a header of connections', requestFields(path, ['connection', 'close'])],
    ['te other than trailers', [...without('te'), ['te', 'gzip']]],
    ['an unknown pseudo header', [[':name', 'a'], ...requestFields(path)]],
    ['a pseudo header of answers', [[':status', '200'], ...requestFields(path)]],
    ['a pseudo header twice', [[':path', path], ...requestFields(path)]],
    ['a pseudo header behind others', requestFields(path).reverse()],
    ['no method', without(':method')],
    ['no scheme', without(':scheme')],
    ['no path', without(':path')],
    ['an empty path', requestFields('')],
    ['no headers', []],
  ])('%s', async (_, fields) => {
    const { begun } = probe.calls;
    const peer = await RawPeer.client(probe.port);
    peer.send(headersOf(1, ...fields));
    expect(outcomeOf(await peer.settle())).toBe('reset 1 protocolError');
    peer.send(request(3, '/t/Count', flags.endStream));
    expect((await peer.next(data))?.stream).toBe(3);
    expect(probe.calls.begun).toBe(begun + 1);
    peer.close();
  });

  it.each([
    ['less content than announced', '6', zeros(5), flags.endStream],
    ['more content than announced', '4', zeros(5), 0],
    ['content of no length that is a number', 'five', zeros(5), flags.endStream],
  ])('%s', async (_, announced, content, end) => {
    const fields = requestFields('/t/Wait', ['content-length', announced]);
    expect(await outcomeFor(headersOf(1, ...fields), frame(data, end, 1, content))).toBe('reset 1 protocolError');
  });

  it.each([
    ['trailers that do not end the stream', headersOf(1, ['x-name', 'a'])],
    [
      'trailers with a pseudo header',
      frame(headers, flags.endHeaders | flags.endStream, 1, encodeHeaders([[':path', '/']])),
    ],
  ])('%s', async (_, trailers) => {
    expect(await outcomeFor(request(1, '/t/Wait'), trailers)).toBe('reset 1 protocolError');
  });
});

it('headers beyond the limit are refused, and their entries of the table apply to later headers', async () => {
  const peer = await RawPeer.client(probe.port);
  // A field for the table of 3000 bytes, named again and again: 70 times are more than 64 KiB.
  const field = Buffer.concat([Buffer.from('400278787fb916', 'hex'), Buffer.alloc(3000, 'x')]);
  peer.send(
    frame(
      headers,
      flags.endHeaders,
      1,
      Buffer.concat([encodeHeaders(requestFields('/t/Wait')), field, Buffer.alloc(70, 0xbe)]),
    ),
  );
  expect(outcomeOf(await peer.settle())).toBe('reset 1 enhanceYourCalm');
  peer.send(
    frame(
      headers,
      flags.endHeaders | flags.endStream,
      3,
      Buffer.concat([encodeHeaders(requestFields('/t/Count')), Buffer.from([0xbe])]),
    ),
  );
  expect((await peer.next(data))?.payload.toString()).toBe('0');
  peer.close();
});

it('calls beyond the limit are refused, and those before them continue', async () => {
  const peer = await RawPeer.client(probe.port);
  for (let i = 0; i < maxCalls; i++) peer.send(request(2 * i + 1, '/t/Wait'));
  const beyond = 2 * maxCalls + 1;
  peer.send(request(beyond, '/t/Wait'));
  expect(outcomeOf(await peer.settle())).toBe(`reset ${beyond} refusedStream`);
  expect(probe.calls.active).toBe(maxCalls);
  peer.send(frame(rstStream, 0, 1, words(8)), request(beyond + 2, '/t/Count', flags.endStream));
  expect((await peer.next(data))?.stream).toBe(beyond + 2);
  peer.close();
});

it('frames of a call that the server has ended are no error', async () => {
  const peer = await RawPeer.client(probe.port);
  peer.send(request(1, '/t/None'));
  expect((await peer.next(rstStream))?.payload.readUInt32BE(0)).toBe(errorCodes.noError);
  peer.send(
    frame(data, 0, 1, zeros(1000)),
    frame(headers, flags.endHeaders | flags.endStream, 1, encodeHeaders([['x-name', 'a']])),
  );
  expect(outcomeOf(await peer.settle())).toBe('');
  peer.close();
});
