/**
 * What the host does to a round trip, without any load generator: every few ms a byte is due to go over loopback to
 * another process and back. Three wake-ups, as a request's, and together when they come together: the host's stalls
 * come in bursts. The sender has the priority of a generator, the other that of a server. A thread that only sleeps
 * (`hiccup-probe.ts`) is woken by a timer and is first in line, as it has used no processor time; a server is woken by
 * who sends to it, and takes its turn.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { giveRealTimePriority } from '@topo-bench/host';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { withoutCollections } from '../src/generator/quiet-runtime.ts';

export type ProbeMessage = 'begin' | 'end';

export interface RoundTripProbe {
  begin(): void;
  /** @returns how much longer than their median the trips since `begin` took, in µs; 0 for those that were faster */
  end(): Promise<Float64Array>;
  close(): void;
}

/**
 * @param script the bundled `round-trip-process.ts`
 * @returns when both processes have rehearsed
 */
export async function startRoundTripProbe(script: string): Promise<RoundTripProbe> {
  const start = (...role: string[]): ChildProcess =>
    fork(script, role, { serialization: 'advanced', execArgv: [...withoutCollections] });
  const echo = start('echo');
  const [port] = (await once(echo, 'message')) as [number];
  const asking = start('ask', String(port));
  await once(asking, 'message');
  await giveRealTimePriority(asking.pid as number, [asking.pid as number]);
  return {
    begin: () => void asking.send('begin'),
    async end() {
      asking.send('end');
      const [trips] = (await once(asking, 'message')) as [Float64Array];
      const medianUs = quantileOfSorted(sortedCopy(trips), 0.5);
      return trips.map((us) => Math.max(0, us - medianUs));
    },
    close() {
      asking.disconnect();
      echo.disconnect();
    },
  };
}
