import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { freePort } from '@topo-bench/host';
import { expect, it, onTestFinished } from 'vitest';
import { ForwardedPort } from '../../src/kubernetes/forwarded-port.ts';

const linux = process.platform === 'linux';

async function open(port = 0): Promise<ForwardedPort> {
  const forwarded = await ForwardedPort.open(port);
  onTestFinished(() => forwarded.close());
  return forwarded;
}

async function listenOn(port: number, host: string): Promise<number> {
  const server = net.createServer().listen(port, host);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** What a client of the port reads until the connection ends. */
async function readFrom({ url }: ForwardedPort): Promise<string> {
  const client = net.connect(Number(new URL(url).port), '127.0.0.1');
  client.on('error', () => undefined);
  let text = '';
  client.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await once(client, 'close');
  return text;
}

it('is bound at once, closes connections until the gateway is there, and then forwards them', async () => {
  const port = await freePort();
  const forwarded = await open(port);
  expect(forwarded.url).toBe(`http://127.0.0.1:${port}`);
  await expect(open(port)).rejects.toMatchObject({
    code: 'TB_ROLE_PORT_TAKEN',
    exitCode: 3,
    message: `cannot forward port ${port} of 127.0.0.1: it is taken`,
    hint: expect.stringContaining('--port'),
  });
  expect(await readFrom(forwarded)).toBe('');
  forwarded.forward((client) => client.end('gateway'));
  expect(await readFrom(forwarded)).toBe('gateway');
});

it('ends its connections when it is closed', async () => {
  const forwarded = await open();
  forwarded.forward((client) => client.write('gateway', () => forwarded.close()));
  expect(await readFrom(forwarded)).toBe('gateway');
  forwarded.close();
  expect(await readFrom(await open())).toBe('');
});

it.runIf(linux)('may have the number of a port at another address', async () => {
  const port = await listenOn(0, '127.0.0.2');
  expect((await open(port)).url).toContain(`:${port}`);
});

const firstOfUsers = linux ? Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) : 0;
it.runIf(firstOfUsers > 80)('that only root may listen on is refused to other users', async () => {
  const isRoot = process.geteuid?.() === 0;
  const nobody = 65_534;
  if (isRoot) process.seteuid?.(nobody);
  try {
    const message = 'cannot forward port 80 of 127.0.0.1: not permitted for this user';
    await expect(open(80)).rejects.toMatchObject({ code: 'TB_ROLE_PORT_TAKEN', message });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
