/** Prepares a read before the clock: the code of the variant, shared parts of launches, and a warm-up of the client. */

import { readBytesRead, readOwnPeakRssBytes } from '@topo-bench/host';
import type { ClientJob, ReadOutcome } from './messages.ts';
import { PartClock } from './part-clock.ts';
import { openPath } from './paths/open-path.ts';
import { limitOf, type ReadPath, type ReadTools } from './read-path.ts';
import { RowCheck } from './row-check.ts';

export interface PreparedRead {
  read(): Promise<ReadOutcome>;
  close(): Promise<void>;
}

/** Enough for V8 to compile the code of a read. */
const warmUpRows = 20_000;

export async function prepareRead(job: ClientJob, signal: AbortSignal): Promise<PreparedRead> {
  const path = await openPath(job);
  try {
    await path.warmUp?.(toolsOf(warmUpRows, signal));
  } catch (error) {
    await path.close();
    throw error;
  }
  const tools = toolsOf(limitOf(job.settings), signal);
  return { read: () => measuredRead(path, tools), close: () => path.close() };
}

async function measuredRead(path: ReadPath, prepared: ReadTools): Promise<ReadOutcome> {
  const [cpu, bytesBefore] = [process.cpuUsage(), readBytesRead(process.pid)];
  const clock = new PartClock();
  const check = new RowCheck(clock);
  const { sender, wireBytes, roles, conversionUs } = await path.read({ ...prepared, clock, check });
  const { user, system } = process.cpuUsage(cpu);
  const bytesAfter = readBytesRead(process.pid);
  const peakRssBytes = readOwnPeakRssBytes();
  const { rows, hash } = check.digest();
  return {
    rows,
    checksum: hash,
    durationUs: clock.durationUs,
    parts: clock.parts,
    wireBytes: {
      ...(bytesBefore !== undefined &&
        bytesAfter !== undefined && { [`${sender} → client`]: bytesAfter - bytesBefore }),
      ...wireBytes,
    },
    ...(conversionUs !== undefined && { conversionUs }),
    roles: { client: { cpuUs: Math.max(0, user + system - clock.outsideCpuUs), peakRssBytes }, ...roles },
  };
}

function toolsOf(limitRows: number | undefined, signal: AbortSignal): ReadTools {
  const clock = new PartClock();
  return { clock, check: new RowCheck(clock), signal, limitRows };
}
