/** Why a server is not reached, as a user reads it: for each engine, with its own driver and real sockets. */

import { createServer, type Server, type Socket } from 'node:net';
import { itemEngines, type StoreEngine, type TopoBenchError } from '@topo-bench/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../src/engines.ts';
import { portFault } from '../../src/servers/port-fault.ts';
import { requireServer, startServer } from '../../src/servers/start-server.ts';
import type { StoreServer } from '../../src/servers/store-server.ts';

const sockets = new Set<Socket>();
const listen = async (onConnection: (socket: Socket) => void): Promise<{ server: Server; port: number }> => {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, port: (server.address() as { port: number }).port };
};

let silent: { server: Server; port: number };
let closing: { server: Server; port: number };
let postgres: StoreServer;
beforeAll(async () => {
  silent = await listen(() => {});
  closing = await listen((socket) => void socket.once('data', () => socket.destroy()));
  postgres = await startServer({ engine: 'postgresql' });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.server.close();
  closing.server.close();
  await postgres.stop();
});

const failureOf = async (engine: StoreEngine, url: string): Promise<TopoBenchError> =>
  requireServer({ engine, flags: { [engine]: url } }).then(
    () => expect.fail(`${engine} is reached`),
    (error: TopoBenchError) => error,
  );
/** Texts of systems and drivers that a user has no use for. */
const internals = /E[A-Z]{6,}|getaddrinfo|SASL|MongoServer|AggregateError|undefined|\bconnect E/;

// Drivers wait for most of the time, so the tests run at once.
describe.concurrent.each([...itemEngines, 'cassandra', 'ignite'] as const)('a server of %s', (engine) => {
  const [protocol = ''] = Object.keys(engines[engine].protocols);
  const at = (address: string): string => `${protocol}//ann:tell-nobody@${address}/`;

  it.each([
    [
      'that does not run',
      '127.0.0.1:1',
      'the connection was refused: nothing listens there',
      'start the server, or correct host and port',
    ],
    [
      'whose name is unknown',
      'no-such-host.invalid:1234',
      /the host name (is unknown|cannot be resolved at present)/,
      /correct the host name/,
    ],
  ])(
    '%s is named by protocol, host and port, with what failed and the way out',
    async (_, address, why, hint) => {
      const error = await failureOf(engine, at(address));
      expect(error).toMatchObject({ code: 'TB_STORE_UNREACHABLE', exitCode: 3 });
      const { flag } = engines[engine];
      expect(error.message).toContain(
        `the ${engine} server (named by ${flag}) does not answer: tried ${protocol}//${address}, and `,
      );
      expect(error.message).toMatch(why);
      expect(error.hint).toMatch(hint);
      expect(error.message).not.toMatch(internals);
      expect(`${error.message} ${error.hint}`).not.toMatch(/ann|tell-nobody/);
    },
    30_000,
  );

  it('that accepts and stays silent, or closes, is described so', async () => {
    const slow = await failureOf(engine, at(`127.0.0.1:${silent.port}`));
    expect(slow.message).toContain(`tried ${protocol}//127.0.0.1:${silent.port}, and it did not answer in time`);
    expect(slow.hint).toContain('firewall');
    const closed = await failureOf(engine, at(`127.0.0.1:${closing.port}`));
    expect(closed.message).toMatch(/closed before an answer|did not answer in time/);
    for (const { message } of [slow, closed]) expect(message).not.toMatch(internals);
  });
});

describe.concurrent('an encrypted connection', () => {
  it.each([
    ['postgresql', 'postgresql://ann:tell-nobody@HOST/?sslmode=require'],
    ['mysql', 'mysql://ann:tell-nobody@HOST/?ssl={"rejectUnauthorized":true}'],
    ['redis', 'rediss://ann:tell-nobody@HOST/'],
    ['mongodb', 'mongodb://ann:tell-nobody@HOST/?tls=true'],
  ] as const)(
    'of %s to a server without TLS fails with TLS as the reason',
    async (engine, url) => {
      const { port } =
        engine === 'postgresql' ? { port: Number(/:(\d+)\//.exec(postgres.url)?.[1]) } : await plainPort(engine);
      const error = await failureOf(engine, url.replace('HOST', `127.0.0.1:${port}`));
      expect(error.message).toContain('TLS failed: ');
      expect(error.hint).toContain('TLS');
      expect(error.message).not.toMatch(internals);
      expect(error.message).not.toContain('tell-nobody');
    },
    30_000,
  );
});

/** A server that answers no TLS: the greeting of MySQL without the flag of TLS, or text. */
async function plainPort(engine: StoreEngine): Promise<{ port: number }> {
  const { port } = await listen((socket) => {
    if (engine === 'mysql') return void socket.write(greetingWithoutTls());
    socket.once('data', () => socket.end('-ERR this is no TLS\r\n'));
  });
  return { port };
}

/** Protocol 10 of MySQL: version, thread, salt and capabilities without CLIENT_SSL. */
function greetingWithoutTls(): Buffer {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.0\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('saltsalt\0'),
    Buffer.from([0x08, 0xa2, 0x21, 2, 0, 0x08, 0, 21]),
    Buffer.alloc(10),
    Buffer.from('saltsaltsalt\0'),
    Buffer.from('mysql_native_password\0'),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
}

it('a port that is open has no fault, and a closed one is refused', async () => {
  expect(await portFault(`127.0.0.1:${silent.port}`, 1000)).toBeUndefined();
  expect((await portFault('127.0.0.1:1', 1000))?.text).toContain('refused');
});

it('a password with characters that are not encoded is not repeated', async () => {
  const error = await failureOf('postgresql', 'postgresql://ann:tell?nobody@127.0.0.1:1/');
  expect(error.message).not.toMatch(/tell|nobody/);
});

it('an error that the server answers is repeated, and is no failure of the connection', async () => {
  const error = await failureOf('postgresql', postgres.url.replace(/\/[^/]*$/, '/no_such_database'));
  expect(error.message).toMatch(
    /cannot be used: tried postgresql:\/\/127\.0\.0\.1:\d+, and got: database "no_such_database" does not exist/,
  );
});
