/**
 * Keeps V8's own threads still while a load runs. They compile and collect garbage for milliseconds at a time, and on a host with few cores
 * they do it where the server has just been woken: its requests wait for them, on the generator's account (docs/decisions/0008-generator-priority.md).
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const youngObjectsMib = 64;

/**
 * Node options of a process that is not to collect garbage during a load. A request leaves about 4 kB behind: at 1000 req/s, young objects are
 * collected every 13 s; in the space that V8 gives them of itself, six times as often. And V8 would collect all garbage, with all its threads
 * on all cores, 8 s after the last time, and again half a second later, because the process does so little.
 */
export const roomForGarbage: readonly string[] = [
  `--min-semi-space-size=${youngObjectsMib}`,
  `--max-semi-space-size=${youngObjectsMib}`,
  '--no-memory-reducer',
];

/**
 * For a process that has rehearsed what it is going to do. From now on no function is optimised any more, in all threads of this process; what
 * has been optimised stays so: V8 would go on to compile, for some 100 ms of CPU in the first seconds of a load, and not be faster for it. The
 * rehearsal's garbage is collected, so that the load has all the room.
 */
export function keepStill(): void {
  setFlagsFromString('--no-opt');
  // The tier below, where Node.js has it.
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
}
