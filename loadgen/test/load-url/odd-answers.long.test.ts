/** Answers that are no complete HTTP/1.1 responses, and bodies of any length, through either driver. */
import { requestDrivers } from '@topo-bench/core/schema/experiment';
import { hostClock } from '@topo-bench/host';
import { describe, expect, it } from 'vitest';
import { drivers } from '../../src/drivers.ts';
import { errorKinds } from '../../src/error-kind.ts';
import type { LoadJob } from '../../src/load-job.ts';
import { isUnfinished } from '../../src/samples.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { jobFor, orders, serveRaw } from '../fixtures/server.ts';

const worker = builtWorker();
const get: LoadJob['request'] = { kind: 'plain', method: 'GET', headers: [] };
const ok = 'HTTP/1.1 200 OK\r\n';

describe.each(requestDrivers)('driver %s', (driver) => {
  /** Few requests: a failed one makes autocannon send the next at once. */
  async function load(answer: Parameters<typeof serveRaw>[0], changes: Partial<LoadJob> = {}) {
    const url = await serveRaw(answer);
    const changed = { request: get, rateRps: 40, connections: 2, durationUs: 150_000, drainUs: 4_000_000, ...changes };
    const { prepareShard } = await drivers[driver].shards();
    const prepared = await prepareShard(jobFor(url, changed), { part: 0, parts: 1 }, worker.path);
    const { samples, errorExamples = {} } = await prepared.run(hostClock.nowUs(), () => undefined);
    expect(samples.index.length).toBeGreaterThan(0);
    return {
      kinds: [...new Set(Array.from(samples.error, (error) => errorKinds[error]))],
      statuses: [...new Set(samples.status)],
      unfinished: samples.index.filter((_, row) => isUnfinished(samples, row)).length,
      example: Object.values(errorExamples).join(),
    };
  }

  it.each([
    ['a switch to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n'],
    ['the banner of a mail server', '220 mail.example ESMTP\r\n'],
    ['settings of HTTP/2', '\0\0\x12\x04\0\0\0\0\0'],
    ['two lengths', `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`],
    ['a length of a body in other codings', `${ok}content-length: 2\r\ntransfer-encoding: chunked, gzip\r\n\r\nab`],
  ])('counts %s as an error of the protocol at once', async (_what, text) => {
    const { kinds, statuses, unfinished, example } = await load((socket) => socket.write(text, 'latin1'));
    expect({ kinds, statuses, unfinished }).toEqual({ kinds: ['protocol'], statuses: [0], unfinished: 0 });
    expect(example).toMatch(/got |in "HTTP/);
  });

  it('counts a body that is cut off as a lost connection', async () => {
    const { kinds, statuses } = await load((socket) => socket.end(`${ok}content-length: 10\r\n\r\nabc`));
    expect({ kinds, statuses }).toEqual({ kinds: ['connection-reset'], statuses: [0] });
  });

  it.each([
    ['behind an interim response', `HTTP/1.1 103 Early Hints\r\n\r\n${ok}content-length: 2\r\n\r\nab`],
    ['with lines that end with a single LF', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nab'],
    ['in chunks', `${ok}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n`],
  ])('reads a response %s', async (_what, text) => {
    const result = await load((socket) => socket.write(text));
    expect(result).toEqual({ kinds: ['none'], statuses: [200], unfinished: 0, example: '' });
  });

  it.each([
    ['that announces its end', `${ok}connection: close\r\ncontent-length: 2\r\n\r\nab`],
    ['whose end is that of the body', `${ok}\r\nab`],
  ])('reads each response of a connection %s', async (_what, text) => {
    const result = await load((socket) => socket.end(text));
    expect(result).toEqual({ kinds: ['none'], statuses: [200], unfinished: 0, example: '' });
  });

  it('refuses a body that is too large to keep', async () => {
    const size = 65 * 1024 * 1024;
    const head = `${ok}content-length: ${size}\r\n\r\n`;
    const changes = { request: orders, rateRps: 7, connections: 1, drainUs: 20_000_000 };
    const { kinds, example } = await load((socket) => socket.write(head) && socket.write(Buffer.alloc(size)), changes);
    expect({ kinds, example }).toEqual({
      kinds: ['protocol'],
      example: 'body too large: expected at most 67108864 bytes',
    });
  });

  it('drops an endless body that is not read', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'a');
    const { unfinished, kinds } = await load(
      (socket) => {
        socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
        const more = (left: number): void => {
          if (left > 0) socket.write(`100000\r\n${piece.toString()}\r\n`, () => more(left - 1));
        };
        more(700);
      },
      { connections: 1, rateRps: 7, drainUs: 3_000_000 },
    );
    expect({ unfinished: unfinished > 0, kinds }).toEqual({ unfinished: true, kinds: ['none'] });
  });
});
