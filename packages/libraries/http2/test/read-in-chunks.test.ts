/** The fallback of direct reading: a Node.js that does not expose the handle of an accepted socket. */
import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { Http2Client, Http2Server, type Http2Stream, readMessage } from '../src/index.ts';

vi.mock('../src/direct-reading.ts', async (load) => ({ ...(await load<object>()), readDirectly: () => undefined }));

it('a server that cannot read directly reads chunks, and answers the same', async () => {
  const maxBytes = 64 * 1024 ** 2;
  const echo = async (stream: Http2Stream): Promise<void> => {
    const { body } = await readMessage(stream, maxBytes);
    stream.sendHeaders({ ':status': '200' });
    stream.write([body]);
    stream.end();
  };
  const server = new Http2Server((stream) => void echo(stream));
  const client = new Http2Client(`http://127.0.0.1:${await server.listen()}`);
  const sent = randomBytes(20 * 1024 ** 2 + 7);
  const stream = client.request({ ':path': '/' });
  const answer = readMessage(stream, maxBytes);
  stream.write([sent]);
  stream.end();
  expect((await answer).body.equals(sent)).toBe(true);
  await client.close();
  await server.close();
});
