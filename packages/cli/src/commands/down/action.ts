/** The work of `down`: signal the process that `up` recorded, and wait until it has exited. */
import { TopoBenchError } from '@topo-bench/core';
import { printJson, printLine } from '../../output.ts';
import { findRunning } from '../../running-topology.ts';
import { findFile } from '../../shipped-files.ts';
import type { DownFlags } from './options.ts';
import { stopRunning } from './stop-running.ts';

export async function action(name: string | undefined, flags: DownFlags): Promise<void> {
  if ((name === undefined) === (flags.all !== true)) {
    const got = name === undefined ? 'neither' : 'both';
    throw new TopoBenchError('TB_USAGE', `down: got ${got}, expected a topology or --all`, {
      hint: 'stop one topology: topo-bench down FILE; stop all and remove what killed runs left: topo-bench down --all',
    });
  }
  if (name === undefined) {
    const { stopAll } = await import('./stop-all.ts');
    return stopAll(flags);
  }
  const topology = await findFile('topologies', name);
  const running = await findRunning(topology);
  if (!running) {
    throw new TopoBenchError('TB_UP_NOT_RUNNING', `${topology} is not running`, {
      hint: `start it with: topo-bench up ${name}`,
    });
  }
  await stopRunning(running);
  if (flags.json) printJson({ stopped: running.pid, topology: running.topology });
  else printLine(`stopped ${running.topology}`);
}
