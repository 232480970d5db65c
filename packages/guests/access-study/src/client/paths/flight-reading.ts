/** Reads record batches from launched programs over Flight: the steps that variants D and E have in common. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FlightClient, FlightError } from '@topo-bench/arrow-flight';
import type { LaunchedStream, Launcher, ProgramEnd } from '@topo-bench/connectors';
import { TopoBenchError } from '@topo-bench/core';
import type { PathResult, ReadPath, ReadTools } from '../read-path.ts';
import { endedByItself } from './ended-by-itself.ts';
import { programRole, startMarks, storeWire } from './program-marks.ts';

export interface FlightLaunching {
  launcher: Launcher;
  /** Kind of the table. */
  store: string;
  /** Whether programs are started before the read. */
  warm: boolean;
  /** Launches the programs; for a read that follows later if `held`. Ends the parts before their start. */
  launch(tools: ReadTools, held: boolean): Promise<LaunchedStream>;
}

export function flightPath({ launcher, store, warm, launch }: FlightLaunching): ReadPath {
  let waiting: LaunchedStream | undefined;
  const read = async (tools: ReadTools): Promise<PathResult> => {
    const launched = waiting ?? (await launch(tools, false));
    if (waiting) waiting.begin();
    else for (const program of startOrder(launched)) startMarks(program.marks, tools.clock);
    waiting = undefined;
    tools.clock.ends('start');
    try {
      return await readBatches(launched, store, tools);
    } catch (error) {
      throw await causeOf(error, launched);
    } finally {
      await launched.stop();
    }
  };
  return {
    read,
    async warmUp(tools) {
      await read(tools);
      if (warm) waiting = await launch(tools, true);
    },
    close: () => launcher.close(),
  };
}

/** A connector starts once the server has its ports. */
function startOrder({ programs: { connector, ...servers } }: LaunchedStream) {
  return [...Object.values(servers), ...(connector ? [connector] : [])];
}

async function causeOf(error: unknown, launched: LaunchedStream): Promise<unknown> {
  if (!(error instanceof FlightError)) return error;
  const isOver = await endedByItself(launched.over().then(() => true));
  const failure = isOver && (await failureOf(launched));
  return failure || new TopoBenchError('TB_FLIGHT_CALL', error.message, { cause: error });
}

/** The failure of a program that has ended. Others would not end before they are stopped. */
async function failureOf(launched: LaunchedStream): Promise<TopoBenchError | undefined> {
  await launched.stop();
  const ended = await launched.whole().catch((cause: unknown) => cause);
  return ended instanceof TopoBenchError ? ended : undefined;
}

/** For batches that have arrived when the programs end. */
const remainsWithinMs = 5000;

/** Aborts the read when it does not end soon after its programs. */
function abandonedAfter({ over }: LaunchedStream, isDone: AbortSignal): AbortSignal {
  const abandoned = new AbortController();
  const late = async (): Promise<void> => {
    await over();
    await sleep(remainsWithinMs, undefined, { signal: isDone });
    abandoned.abort(new FlightError('unavailable', 'the programs have ended, and the stream has not'));
  };
  late().catch(() => undefined);
  return abandoned.signal;
}

async function readBatches(
  launched: LaunchedStream,
  store: string,
  { clock, check, limitRows }: ReadTools,
): Promise<PathResult> {
  const client = new FlightClient(launched.flightUrl);
  const done = new AbortController();
  const signal = abandonedAfter(launched, done.signal);
  try {
    await client.authenticateBasic(launched.user, launched.password, { signal });
    const reader = await client.doGet(Buffer.from(launched.stream), { signal });
    clock.ends('connect');
    let rows = 0;
    for await (const batch of reader) {
      clock.ends('read');
      check.addBatch(limitRows === undefined ? batch : batch.slice(0, Math.max(0, limitRows - rows)));
      rows += batch.numRows;
      if (limitRows !== undefined && rows >= limitRows) {
        clock.ends('return');
        return { sender: 'flight-server', roles: await rolesOf(launched) };
      }
    }
    clock.ends('read');
    const ends = await launched.whole();
    clock.ends('return');
    const sent = ends.connector?.report?.sentBytes;
    const conversionUs = ends['flight-server']?.report?.conversionUs;
    return {
      sender: 'flight-server',
      roles: await rolesOf(launched, ends),
      wireBytes: {
        ...storeWire(store, 'connector', ends.connector),
        ...storeWire(store, 'flight-server', ends['flight-server']),
        ...(sent !== undefined && { 'connector → flight-server': sent }),
      },
      ...(conversionUs !== undefined && { conversionUs }),
    };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    done.abort();
    await client.close();
  }
}

async function rolesOf(
  { programs }: LaunchedStream,
  ends: Readonly<Record<string, ProgramEnd>> = {},
): Promise<PathResult['roles']> {
  const roles = Object.entries(programs).map(async ([name, program]) => [name, await programRole(program, ends[name])]);
  return Object.fromEntries(await Promise.all(roles));
}
