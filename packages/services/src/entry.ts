/**
 * The entry point of every role process. A local role reads its documents from the first lines of standard input
 * (`@topo-bench/core/role-handshake`). It exits when that input ends, and so never outlives its parent. In a container
 * the documents are files, compressed where their names end in `.gz`: `--config FILE --secrets FILE --graph FILE`. With
 * `--keeper PORT` the role is a child of this process, which kills it and starts it again on request.
 */
import { readFileSync, writeSync } from 'node:fs';
import type { DeploymentGraph, PeerUrls, RoleConfig, RoleReady, RoleSecrets } from '@topo-bench/core';
import type { FullConfig } from './full-config.ts';
import type { Keeper } from './keeper/keep-role.ts';
import { type RunningRole, startRole } from './start-role.ts';
import { StdinLines } from './stdin-lines.ts';
import { StartFailure } from './user-service/start-failure.ts';

const graceMs = 1000;
let roleName = 'unnamed role';

process.on('uncaughtException', fail);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));

let role: RunningRole | undefined;
let keeper: Keeper | undefined;
/** Resolves when the role is ready and all code of its start is compiled. Never rejects: a failure ends the process. */
export const ready: Promise<void> = (process.argv.includes('--config') ? runFromFiles() : runWithParent()).catch(fail);

async function runWithParent(): Promise<void> {
  const lines = new StdinLines(() => void end(0));
  const config = parse<RoleConfig>(await lines.next(), 'its configuration, line 1 of standard input');
  roleName = config.name;
  const secrets = parse<RoleSecrets>(await lines.next(), 'its secrets, line 2 of standard input');
  const graph = parse<DeploymentGraph>(await lines.next(), 'the graph, line 3 of standard input');
  await start({ ...config, secrets, graph });
  const { peers } = parse<PeerUrls>(await lines.next(), 'the addresses of its peers, line 4 of standard input');
  await connect(peers);
}

/** In a container the configuration contains the addresses of the peers. */
async function runFromFiles(): Promise<void> {
  const config = await readDocument<RoleConfig>('--config');
  roleName = config.name;
  const secrets = await readDocument<RoleSecrets>('--secrets');
  const keeperPort = argumentOf('--keeper');
  if (keeperPort !== undefined) {
    // Loaded only where a runner asks for it.
    const { keepRole } = await import('./keeper/keep-role.ts');
    const files = Object.fromEntries(
      ['--config', '--secrets', '--graph'].map((flag) => [flag, argumentOf(flag) ?? '']),
    );
    keeper = await keepRole(config, secrets, { port: Number(keeperPort), files, ended });
    return;
  }
  await start({ ...config, secrets, graph: await readDocument<DeploymentGraph>('--graph') });
  await connect({});
}

function argumentOf(flag: string): string | undefined {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function readDocument<T>(flag: string): Promise<T> {
  const file = argumentOf(flag);
  if (!file) throw new Error(`${flag} needs the path of a file`);
  const bytes = readFileSync(file);
  return parse<T>((file.endsWith('.gz') ? await decompressed(bytes) : bytes).toString(), file);
}

/** Loaded only for compressed documents: a ConfigMap of Kubernetes holds 1 MiB. */
async function decompressed(bytes: Buffer): Promise<Buffer> {
  return (await import('node:zlib')).gunzipSync(bytes);
}

async function start(config: FullConfig): Promise<void> {
  role = await startRole(config, log, ended);
  const { url, controlUrl, flightUrl } = role;
  const others = { ...(controlUrl !== undefined && { controlUrl }), ...(flightUrl !== undefined && { flightUrl }) };
  const listening: RoleReady = { name: config.name, url, ...others };
  say(listening);
}

async function connect(urls: Record<string, string>): Promise<void> {
  await role?.connect(urls);
  say({ ready: true });
}

function parse<T>(text: string, source: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new Error(`cannot read ${source}: ${(error as Error).message}`);
  }
}

function ended(reason: string, exitCode: number): void {
  log(reason);
  void end(exitCode);
}

/** Drains open requests, then exits. */
async function end(code: number): Promise<void> {
  // Neither a second signal nor a hanging close delays the exit.
  setTimeout(() => process.exit(code), graceMs).unref();
  await (keeper ?? role)?.close(graceMs);
  process.exit(code);
}

function fail(error: unknown): void {
  const { message, stack, code } = error as NodeJS.ErrnoException;
  if (error instanceof StartFailure) say(error.line);
  const place = error instanceof StartFailure ? undefined : stack?.split('\n')[1]?.trim();
  log(`${code === undefined ? '' : `${code}: `}${message ?? String(error)}${place ? ` (${place})` : ''}`);
  process.exit(1);
}

/** Writes one line of the handshake. A direct write: creating `process.stdout` takes longer than writing all lines. */
function say(message: object): void {
  const line = `${JSON.stringify(message)}\n`;
  try {
    writeSync(1, line);
  } catch {
    process.stdout.write(line);
  }
}

function log(line: string): void {
  process.stderr.write(`${roleName}: ${line.replaceAll('\n', ' ')}\n`);
}
