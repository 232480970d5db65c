/** A process that reads tables, one order at a time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Side } from '../comparisons.ts';
import type { Order, ReadResult } from './order.ts';

const python = process.env.TOPO_BENCH_PYTHON ?? 'python3';
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface TimedRead extends ReadResult {
  /** From the order to read until the last row is there; the table is open before. */
  seconds: number;
}

/** Called with the clock stopped, directly before and after the read. */
export interface ReadObserver {
  opened?(): void | Promise<void>;
  done?(): void;
}

export class Reader {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private errors = '';

  constructor(program: Side['program']) {
    const isNode = program === 'node';
    const [command, args] = isNode
      ? [process.execPath, ['--import', 'tsx', here('node-reader.ts')]]
      : [python, [here(program)]];
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.on('error', (error) => {
      this.errors += error.message;
    });
    this.child.stdin?.on('error', () => {});
    this.child.stderr?.on('data', (text) => {
      this.errors += text;
    });
    this.lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Waits until the process is ready. @returns why it is not; undefined when it is */
  async missing(side: Side): Promise<string | undefined> {
    const { done } = await this.lines.next();
    if (!done) return undefined;
    if (side.program === 'node') throw new Error(this.errors);
    return `${this.errors.trim().split('\n').at(-1)}; set TOPO_BENCH_PYTHON to a Python that has it`;
  }

  async read(order: Order, observer: ReadObserver = {}): Promise<TimedRead> {
    await this.ask(order);
    await observer.opened?.();
    const start = performance.now();
    const result = await this.ask('read');
    const seconds = (performance.now() - start) / 1000;
    observer.done?.();
    await this.ask('close');
    return { ...(JSON.parse(result) as ReadResult), seconds };
  }

  /** @returns when the process has ended */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await ended;
  }

  private async ask(line: Order | 'read' | 'close'): Promise<string> {
    this.child.stdin?.write(`${JSON.stringify(line)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`a reader ended: ${this.errors}`);
    return value;
  }
}
