/**
 * The one entry of every process of a deployment. Locally it reads its configuration as the first line of standard input, so that
 * tokens touch neither disk nor command line, and ends with that input, so that nothing outlives its parent.
 * In containers `--config FILE` names it, with the addresses of its peers filled in.
 */
import { readFileSync, writeSync } from 'node:fs';
import type { PeerUrls, RoleConfig, RoleReady } from '@topo-bench/core/role-config';
import { type RunningRole, startRole } from './start-role.ts';
import { StdinLines } from './stdin-lines.ts';
import { StartFailure } from './user-service/start-failure.ts';

const graceMs = 1000;
let roleName = 'unnamed role';

process.on('uncaughtException', fail);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));

let role: RunningRole | undefined;
const flag = process.argv.indexOf('--config');
/** Resolves when the role is ready: by then it has compiled what it starts with. Never rejects, as a role that fails ends. */
export const ready: Promise<void> = (flag < 0 ? runWithParent() : runFromFile(process.argv[flag + 1])).catch(fail);

async function runWithParent(): Promise<void> {
  const lines = new StdinLines(() => void end(0));
  await start(parse<RoleConfig>(await lines.next(), 'its configuration, the first line of standard input'));
  const { peers } = parse<PeerUrls>(await lines.next(), 'the addresses of its peers, the second line of standard input');
  await connect(peers);
}

async function runFromFile(file: string | undefined): Promise<void> {
  if (!file) throw new Error('--config needs the path of a configuration file');
  await start(parse<RoleConfig>(readFileSync(file, 'utf8'), file));
  await connect({});
}

async function start(config: RoleConfig): Promise<void> {
  roleName = config.name;
  role = await startRole(config, log, (reason, exitCode) => {
    log(reason);
    void end(exitCode);
  });
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

/** Lets open requests finish, then ends the process. */
async function end(code: number): Promise<void> {
  // A second signal, or a close that hangs, does not wait.
  setTimeout(() => process.exit(code), graceMs).unref();
  await role?.close(graceMs);
  process.exit(code);
}

function fail(error: unknown): void {
  const { message, stack, code } = error as NodeJS.ErrnoException;
  if (error instanceof StartFailure) say(error.line);
  const place = error instanceof StartFailure ? undefined : stack?.split('\n')[1]?.trim();
  log(`${code === undefined ? '' : `${code}: `}${message ?? String(error)}${place ? ` (${place})` : ''}`);
  process.exit(1);
}

/** One line of the handshake. Written directly: the stream that is `process.stdout` takes longer to make than all lines to write. */
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
