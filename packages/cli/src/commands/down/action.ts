/** The work of `down`: signal the process that `up` recorded, and wait until it has exited. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import { processStartTime } from '@topo-bench/host';
import { printJson, printLine } from '../../output.ts';
import { findRunning, forgetRunning } from '../../running-topology.ts';
import { findFile } from '../../shipped-files.ts';
import type { DownFlags } from './options.ts';

const timeoutMs = 15_000;

export async function action(name: string, { json }: DownFlags): Promise<void> {
  const topology = await findFile('topologies', name);
  const running = await findRunning(topology);
  if (!running) {
    throw new TopoBenchError('TB_UP_NOT_RUNNING', `${topology} is not running`, {
      hint: `start it with: topo-bench up ${name}`,
    });
  }
  process.kill(running.pid, 'SIGTERM');
  await exited(running.pid, running.startTime);
  await forgetRunning(topology);
  if (json) printJson({ stopped: running.pid, topology: running.topology });
  else printLine(`stopped ${running.topology}`);
}

async function exited(pid: number, startTime: string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while ((await processStartTime(pid)) === startTime) {
    if (Date.now() > deadline) {
      throw new TopoBenchError(
        'TB_UP_NOT_RUNNING',
        `process ${pid} still runs: expected it to exit within ${timeoutMs / 1000} s`,
        {
          hint: `kill it: kill -9 ${pid} (its services exit with it)`,
        },
      );
    }
    await sleep(50);
  }
}
