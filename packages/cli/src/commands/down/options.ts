/** `down`: stops what `up` keeps running for a topology, and waits until it is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import { processStartTime } from '@topo-bench/host';
import { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { findRunning, forgetRunning } from '../../running-topology.ts';
import { findFile } from '../../shipped-files.ts';

const examples = `Examples:
  topo-bench down topologies/gdpr-mail-order.yaml   stop what \`up\` started for this file
`;

const patienceMs = 15_000;

export function command(): Command {
  return new Command('down')
    .description('Stops a topology that `topo-bench up` keeps running.')
    .argument('<topology>', 'the file (or shipped name) that was given to `up`')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples)
    .action(down);
}

async function down(name: string, { json }: { json?: boolean }): Promise<void> {
  const topology = await findFile('topologies', name);
  const running = await findRunning(topology);
  if (!running) {
    throw new TopoBenchError('TB_UP_NOT_RUNNING', `${topology} is not running`, {
      hint: `start it with: topo-bench up ${name}`,
    });
  }
  process.kill(running.pid, 'SIGTERM');
  await gone(running.pid, running.startTime);
  await forgetRunning(topology);
  if (json) printJson({ stopped: running.pid, topology: running.topology });
  else printLine(`stopped ${running.topology}`);
}

async function gone(pid: number, startTime: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while ((await processStartTime(pid)) === startTime) {
    if (Date.now() > deadline) {
      throw new TopoBenchError('TB_UP_NOT_RUNNING', `process ${pid} did not end within ${patienceMs / 1000} s`, {
        hint: `end it yourself: kill -9 ${pid} (its services end with it)`,
      });
    }
    await sleep(50);
  }
}
