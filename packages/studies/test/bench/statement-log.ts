/** Stands before PostgreSQL and records what clients send: texts and values of statements, by the wire protocol. */
import { connect, createServer, type Socket } from 'node:net';

export interface StatementLog {
  url: string;
  connections: number;
  /** Texts with values, in the order in which they were sent. */
  statements: string[];
  stop(): Promise<void>;
}

/** @param target connection string with host and port */
export async function statementLog(target: string): Promise<StatementLog> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const log: StatementLog = { url: '', connections: 0, statements: [], stop };
  const server = createServer((client) => {
    log.connections++;
    const upstream = connect(Number(port), hostname);
    const reader = new FrontendReader((statement) => log.statements.push(statement));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        other.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (data) => {
      reader.add(data);
      upstream.write(data);
    });
    upstream.on('data', (data) => client.write(data));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  log.url = url.href;
  return log;

  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Messages of a client: Parse gives a name its text, Bind gives it values. */
class FrontendReader {
  private bytes = Buffer.alloc(0);
  private isStarted = false;
  private readonly texts = new Map<string, string>();

  constructor(private readonly onStatement: (statement: string) => void) {}

  add(data: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, data]);
    for (;;) {
      // The first message has no type.
      const head = this.isStarted ? 1 : 0;
      if (this.bytes.length < head + 4) return;
      const end = head + this.bytes.readUInt32BE(head);
      if (this.bytes.length < end) return;
      const message = this.bytes.subarray(head + 4, end);
      if (this.isStarted) this.message(String.fromCharCode(this.bytes[0] as number), message);
      this.isStarted = true;
      this.bytes = this.bytes.subarray(end);
    }
  }

  private message(type: string, message: Buffer): void {
    const [first = '', second = ''] = [message.subarray(0), message.subarray(message.indexOf(0) + 1)].map((part) =>
      part.toString('utf8', 0, part.indexOf(0)),
    );
    if (type === 'P') this.texts.set(first, second);
    if (type === 'B') this.onStatement(`${this.texts.get(second)} ${JSON.stringify(valuesOf(message))}`);
  }
}

/** Bind: portal, statement, formats of the values, values with their lengths. */
function valuesOf(message: Buffer): string[] {
  const afterNames = message.indexOf(0, message.indexOf(0) + 1) + 1;
  let at = afterNames + 2 + 2 * message.readUInt16BE(afterNames);
  const count = message.readUInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = message.readInt32BE(at);
    const from = at + 4;
    at = from + Math.max(0, length);
    return message.toString('utf8', from, at);
  });
}
