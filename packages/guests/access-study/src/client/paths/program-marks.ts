/** Time marks and figures of launched programs, as parts of a read. */
import type { LaunchedProgram, LaunchMarks, ProgramEnd } from '@topo-bench/connectors';
import type { ReadOutcome } from '../messages.ts';
import type { PartClock } from '../part-clock.ts';

/** Ends the parts of a start, up to the first byte of its output. */
export function startMarks(marks: Readonly<LaunchMarks>, clock: PartClock): void {
  const { imagePresentMs, createdMs, startedMs, firstByteMs } = marks;
  const ends = { image: imagePresentMs, create: createdMs, start: startedMs, 'first-byte': firstByteMs };
  for (const [part, atMs] of Object.entries(ends)) if (atMs !== undefined) clock.ends(part, atMs);
}

/**
 * Chunks of an output. Waiting for them is the part `read`; the consumer's work between two chunks is `conversion`.
 * @param onFirst called with the first chunk, before its part ends
 */
export async function* timedChunks(
  output: AsyncIterable<Uint8Array>,
  clock: PartClock,
  onFirst: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let isFirst = true;
  for await (const chunk of output) {
    if (isFirst) onFirst();
    isFirst = false;
    clock.ends('read');
    yield chunk;
    clock.ends('conversion');
  }
  clock.ends('read');
}

/** An output as text. */
export async function* textOf(output: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  for await (const chunk of output) yield decoder.decode(chunk, { stream: true });
}

/** Bytes from the store to a program, from its last line. */
export function storeWire(store: string, role: string, end: ProgramEnd | undefined): Record<string, number> {
  const bytes = end?.report?.storeBytes;
  return bytes === undefined ? {} : { [`${store} → ${role}`]: bytes };
}

/** Figures from its last line. A read for one row does not wait for that line: CPU time as counted by the host. */
export async function programRole(
  program: Pick<LaunchedProgram, 'usage'>,
  end: ProgramEnd | undefined,
): Promise<ReadOutcome['roles'][string]> {
  if (end?.report) return { cpuUs: end.report.cpuUs, peakRssBytes: end.report.maxRssBytes };
  const usage = await program.usage();
  return usage ? { cpuUs: usage.cpuUs } : {};
}
