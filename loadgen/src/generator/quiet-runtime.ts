/**
 * Keeps V8's own threads still while a load runs. They compile and collect garbage for milliseconds at a time, and on a host with few cores
 * they do it where the server has just been woken: its requests wait for them, on the generator's account (docs/decisions/0008-generator-priority.md).
 */
import { setFlagsFromString } from 'node:v8';

const youngObjectsMib = 32;

/**
 * Node options of a process that is not to collect garbage during a load. A request leaves about 4 kB behind, so that at 1000 req/s young
 * objects are collected every 8 s; in the space that V8 gives them of itself, three times as often and for as long each time.
 */
export const roomForGarbage: readonly string[] = [
  `--min-semi-space-size=${youngObjectsMib}`,
  `--max-semi-space-size=${youngObjectsMib}`,
];

/**
 * From now on no function is optimised any more, in all threads of this process; what has been optimised stays so. For a process that has
 * rehearsed what it is going to do: V8 would go on to compile, for some 100 ms of CPU in the first seconds of a load, and not be faster for it.
 */
export function stopOptimising(): void {
  setFlagsFromString('--no-opt');
  // The tier below, where Node.js has it.
  setFlagsFromString('--no-maglev');
}
