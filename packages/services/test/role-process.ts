/** Roles as processes of the bundled entry, driven through the handshake by hand: independent of any runner. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RoleReady } from '@topo-bench/core';
import { build } from 'esbuild';
import type { FullConfig } from '../src/full-config.ts';

export interface Bundle {
  file: string;
  dir: string;
  remove(): Promise<void>;
}

/** The entry as one file. @returns with a folder of its own for the test's files */
export async function bundleEntry(): Promise<Bundle> {
  const dir = await mkdtemp(join(tmpdir(), 'topo-bench-entry-'));
  const file = join(dir, 'service.cjs');
  const entryPoints = [join(import.meta.dirname, '../src/entry.ts')];
  await build({
    entryPoints,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    outfile: file,
    logLevel: 'error',
  });
  return { file, dir, remove: () => rm(dir, { recursive: true }) };
}

export class RoleProcess {
  readonly child: ChildProcess;
  stderr = '';
  /** Exit code and signal. */
  readonly exit: Promise<[number | null, NodeJS.Signals | null]>;
  private readonly lines: AsyncIterator<string>;

  constructor(file: string, args: string[] = []) {
    // Files that a role writes are removed with the folder of its entry.
    const env = { ...process.env, TMPDIR: dirname(file) };
    this.child = spawn(process.execPath, [file, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin?.on('error', () => {});
    this.exit = once(this.child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    this.lines = createInterface(this.child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  }

  write(text: string | Buffer): void {
    this.child.stdin?.write(text);
  }

  async line(): Promise<unknown> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`no further line; standard error: ${this.stderr}`);
    return JSON.parse(value);
  }

  async listening(config: FullConfig): Promise<RoleReady> {
    this.write(documentLines(config));
    return (await this.line()) as RoleReady;
  }
}

/** The three lines of its documents. */
export function documentLines({ secrets, graph, ...config }: FullConfig): string {
  return [config, secrets, graph].map((document) => `${JSON.stringify(document)}\n`).join('');
}
