/**
 * The entry point of a source connector. Messages of the protocol go to standard output, one in each line; failures
 * are messages too, with exit code 1.
 */
import { finished } from 'node:stream/promises';
import type { DeliveryAddress } from './conversion/converter-settings.ts';
import type { WorkFigures } from './launch/launcher.ts';
import { type CommandLine, parseCommandLine, readDocument } from './program/command-line.ts';
import { openDelivery } from './program/delivery.ts';
import { failureMessage } from './program/failure.ts';
import { endOutput, followInput, type InputUse } from './program/input-lifeline.ts';
import { ProgramOutput } from './program/program-output.ts';
import { runCommand } from './program/run-command.ts';

const failed = 1;
const interrupted = 143;

process.on('SIGTERM', () => process.exit(interrupted));
// The consumer has closed the stream: nothing reads what follows.
process.stdout.on('error', () => process.exit(failed));

const output = new ProgramOutput(process.stdout);
let use: InputUse | undefined;
try {
  const line = parseCommandLine(process.argv.slice(2));
  use = line;
  await followInput(line);
  output.figures = await (line.deliverTo === undefined ? runCommand(line, output) : deliver(line, line.deliverTo));
  await endOutput(output, use);
  process.exit(0);
} catch (error) {
  // The message of a stream that failed is already part of the output.
  if (!output.hasFailure) output.message(failureMessage(error));
  await endOutput(output, use);
  process.exit(failed);
}

async function deliver(line: CommandLine, address: string): Promise<WorkFigures> {
  const socket = await openDelivery(await readDocument<DeliveryAddress>(address, '--deliver-to'));
  const delivery = new ProgramOutput(socket);
  // A converter that has gone must not leave a write waiting.
  const closed = new Promise<never>((_, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the converter closed the connection')));
  });
  closed.catch(() => undefined);
  let figures: WorkFigures;
  try {
    figures = await Promise.race([runCommand(line, delivery), closed]);
  } finally {
    await Promise.race([delivery.flush(), closed]).catch(() => undefined);
    socket.end();
  }
  // A container loses its network with its last process, and with it all bytes in flight: the converter closes first.
  await finished(socket.resume());
  return { ...figures, sentBytes: delivery.bytes };
}
