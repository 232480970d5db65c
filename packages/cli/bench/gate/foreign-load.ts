/** Foreign load: child processes that compute at random, for a given share of all processors. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Bursts and pauses have exponential lengths. It ends with its standard input. */
const burner = `
const [share, seed] = process.argv.slice(1).map(Number);
let state = seed >>> 0;
// mulberry32
const uniform = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const exponential = (meanMs) => -meanMs * Math.log(1 - uniform());
const burst = () => {
  const end = performance.now() + exponential(300);
  while (performance.now() < end);
  setTimeout(burst, exponential((300 * (1 - share)) / share));
};
process.stdin.resume().on('end', () => process.exit());
setTimeout(burst, exponential(300));
`;

export interface ForeignLoad {
  stop(): Promise<void>;
}

/**
 * @param share of the time of a processor, between 0 and 1, that each program takes
 * @param programs by default one for each processor
 */
export function startForeignLoad(share: number, seed: number, programs = availableParallelism()): ForeignLoad {
  const children = Array.from(
    { length: programs },
    (_, at): ChildProcess =>
      spawn(process.execPath, ['-e', burner, String(share), String(1000 * seed + at)], {
        stdio: ['pipe', 'ignore', 'inherit'],
      }),
  );
  return {
    stop: async () => {
      const ended = children.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}
