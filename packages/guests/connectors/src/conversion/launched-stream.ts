/** A table over Flight from launched programs: what a client needs to read it, and to know that it was whole. */
import { TopoBenchError } from '@topo-bench/core';
import type { LaunchedProgram, Launcher, ProgramEnd } from '../launch/launcher.ts';
import { requireWhole } from '../launch/require-whole.ts';
import type { FlightSettings, ServerReady } from './converter-settings.ts';

export interface LaunchedStream {
  /** By role: `flight-server`, and `connector` where one feeds it. */
  programs: Readonly<Record<string, LaunchedProgram>>;
  /** For this process. */
  flightUrl: string;
  user: string;
  password: string;
  /** Path and ticket of the stream. */
  stream: string;
  /** Starts the read of a stream that was launched as `held`. */
  begin(): void;
  /**
   * Resolves when all programs have ended after the read.
   * @throws TopoBenchError `TB_CONNECTOR_FAILED`, `TB_CONNECTOR_INCOMPLETE`
   */
  whole(): Promise<Readonly<Record<string, ProgramEnd>>>;
  /**
   * Resolves when nothing more can arrive: a program ended before its work was done, or all have ended. A connection of
   * a container or pod that is gone stays open without an error.
   */
  over(): Promise<void>;
  /** Ends and removes all programs. */
  stop(): Promise<void>;
}

/** `over` of these programs. */
export async function overOf(programs: LaunchedStream['programs']): Promise<void> {
  const ends = Object.entries(programs).map(async ([name, { ended }]) => requireWhole(name, await ended));
  await Promise.all(ends).catch(() => undefined);
}

/** Where programs have addresses of their own. */
const ports = { flight: 8815, input: 8816 } as const;

/** Address and ports of a Flight server at the place of a launcher; processes share the ports of this machine. */
export function listenAt({ place }: Launcher): Pick<FlightSettings, 'host' | 'flightPort'> & { inputPort: number } {
  return place === 'process'
    ? { host: '127.0.0.1', flightPort: 0, inputPort: 0 }
    : { host: '0.0.0.0', flightPort: ports.flight, inputPort: ports.input };
}

export function urlOf({ hosts }: LaunchedProgram, { flightPort }: ServerReady): string {
  return `grpc+tcp://${hosts.fromHere}:${flightPort}`;
}

/** The first line of its output. The rest is read in the background. */
export async function readyOf(
  server: LaunchedProgram,
  name: string,
): Promise<{ ready: ServerReady; drained: Promise<void> }> {
  const chunks = server.output[Symbol.asyncIterator]();
  let text = '';
  while (!text.includes('\n')) {
    const { value, done } = await chunks.next();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  const rest = async (): Promise<void> => {
    while (!(await chunks.next()).done);
  };
  const drained = rest().catch(() => undefined);
  const ready = readyLine(text.split('\n')[0] ?? '');
  if (ready) return { ready, drained };
  await drained;
  requireWhole(name, await server.ended);
  throw new TopoBenchError('TB_CONNECTOR_FAILED', `${name} ended before it was ready`);
}

function readyLine(line: string): ServerReady | undefined {
  try {
    const ready = JSON.parse(line) as Partial<ServerReady>;
    return ready.flightPort === undefined ? undefined : (ready as ServerReady);
  } catch {
    return undefined;
  }
}

/** Reads an output that nothing else needs. */
export async function drain({ output }: LaunchedProgram): Promise<void> {
  try {
    for await (const _ of output);
  } catch {
    // It was stopped.
  }
}
