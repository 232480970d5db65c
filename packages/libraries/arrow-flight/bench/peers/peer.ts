/** Processes of the bench: each follows one order at a time. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Account, Order } from '../job.ts';

const python = process.env.TOPO_BENCH_PYTHON ?? 'python3';
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The version of pyarrow, undefined without it. */
export function pyarrowVersion(): string | undefined {
  try {
    return execFileSync(python, ['-c', 'import pyarrow.flight, pyarrow; print(pyarrow.__version__)'], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return undefined;
  }
}

class Peer {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(command: string, args: string[]) {
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  }

  async read<T>(): Promise<T> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('a process of the bench ended');
    return JSON.parse(value) as T;
  }

  follow<T>(order: Order): Promise<T> {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    return this.read<T>();
  }

  account(): Promise<Account> {
    return this.follow<Account>('account');
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** @returns when the process has ended */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await ended;
  }
}

export type { Peer };

const typescript = (name: string): Peer => new Peer(process.execPath, ['--import', 'tsx', here(name)]);

export const startOurServer = (): Peer => typescript('our-server.ts');
export const startOurClient = (): Peer => typescript('our-client.ts');
export const startPyarrow = (role: 'server' | 'client'): Peer => new Peer(python, [here('pyarrow_peer.py'), role]);
