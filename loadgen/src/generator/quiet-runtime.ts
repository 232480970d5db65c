/**
 * Keeps V8's own threads idle during a load. They compile and collect garbage for milliseconds at a time. On a host
 * with few cores they delay the server, and the generator would cause the wait
 * (docs/decisions/0008-generator-priority.md).
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const youngObjectsMib = 64;

/**
 * Node options of a process without garbage collections during a load. A request leaves about 4 kB: at 1000 req/s,
 * young objects are collected every 13 s, six times less often than with V8's default space. At low rates the spinning
 * of the pacer leaves up to 2 MB per second more. The options also disable V8's full collections of an idle process,
 * which use all its threads, 8 s after the last one and again half a second later.
 */
export const withoutCollections: readonly string[] = [
  `--min-semi-space-size=${youngObjectsMib}`,
  `--max-semi-space-size=${youngObjectsMib}`,
  '--no-memory-reducer',
];

/**
 * Call after the rehearsal. It stops the optimisation of functions in all threads of this process; optimised code
 * stays. V8 would otherwise compile for some 100 ms of CPU in the first seconds of a load, with no faster code. It also
 * collects the rehearsal's garbage, so that the load has all the room.
 */
export function stopOptimising(): void {
  setFlagsFromString('--no-opt');
  // The tier below, in Node.js versions that have it.
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
}
