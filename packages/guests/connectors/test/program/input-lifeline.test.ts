/** A program whose output is attached: it ends when its reader has the report. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { endsWithReport } from '../../src/protocol/report.ts';

const connector = join(import.meta.dirname, '../../../../cli/dist/connector.js');

function start(...args: string[]) {
  const program = spawn(process.execPath, [connector, ...args, '--until-input-ends', '--until-read-line']);
  onTestFinished(() => void program.kill('SIGKILL'));
  let output = Buffer.alloc(0);
  const arrived = new Promise<void>((resolve) => {
    program.stdout.on('data', (chunk: Buffer) => {
      output = Buffer.concat([output, chunk]);
      if (endsWithReport(output)) resolve();
    });
  });
  return { program, arrived, exit: once(program, 'exit') };
}

it.each([
  ['that succeeds', ['postgresql', 'spec'], 0],
  ['that fails', ['postgresql', 'check', '--config', '/no/such/file'], 1],
])('a program %s waits for its reader', async (_, args, code) => {
  const { program, arrived, exit } = start(...args);
  await arrived;
  await sleep(300);
  expect(program.exitCode).toBeNull();
  program.stdin.write('\n');
  expect(await exit).toEqual([code, null]);
});

it('a program does not wait for a reader that has gone', async () => {
  const { program, arrived, exit } = start('postgresql', 'spec');
  await arrived;
  program.stdin.end();
  expect(await exit).toEqual([143, null]);
});

it('a program whose command line is wrong ends at once', async () => {
  const { program, exit } = start('postgresql', 'nothing');
  const said = text(program.stderr);
  expect(await exit).toEqual([1, null]);
  expect(await said).toBe('');
});
