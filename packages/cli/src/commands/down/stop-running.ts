/** Stops the process that keeps a topology running. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import { processStartTime } from '@topo-bench/host';
import { forgetRunning, type RunningTopology } from '../../running-topology.ts';

const timeoutMs = 15_000;

/** @throws TopoBenchError `TB_UP_NOT_RUNNING` when it does not exit */
export async function stopRunning({ pid, startTime, topology }: RunningTopology): Promise<void> {
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + timeoutMs;
  while ((await processStartTime(pid)) === startTime) {
    if (Date.now() > deadline) {
      const message = `process ${pid} still runs: expected it to exit within ${timeoutMs / 1000} s`;
      throw new TopoBenchError('TB_UP_NOT_RUNNING', message, {
        hint: `kill it: kill -9 ${pid} (its local services exit with it; \`topo-bench down --all\` removes containers)`,
      });
    }
    await sleep(50);
  }
  await forgetRunning(topology);
}
