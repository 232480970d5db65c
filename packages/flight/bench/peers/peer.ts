/** Processes of the bench: each is asked one job at a time. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Job, JobResult } from '../job.ts';

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

  async run(job: Job): Promise<JobResult> {
    this.child.stdin?.write(`${JSON.stringify(job)}\n`);
    const result = await this.read<JobResult>();
    const expected = job.rows * job.messages * job.streams;
    if (result.rows !== expected) throw new Error(`${job.verb}: ${result.rows} of ${expected} rows arrived`);
    return result;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  stop(): void {
    this.child.stdin?.end();
  }
}

export type { Peer };

const typescript = (name: string): Peer => new Peer(process.execPath, ['--import', 'tsx', here(name)]);

export const startOurServer = (): Peer => typescript('our-server.ts');
export const startOurClient = (): Peer => typescript('our-client.ts');
export const startPyarrow = (role: 'server' | 'client'): Peer => new Peer(python, [here('pyarrow_peer.py'), role]);
