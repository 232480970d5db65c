/**
 * A program with a Flight server. Its first line of output has its ports, its last line the report. It ends with the
 * one read that it serves.
 */
import { parseArgs } from 'node:util';
import type { ServerReady } from '../conversion/converter-settings.ts';
import type { WorkFigures } from '../launch/launcher.ts';
import { failureMessage } from './failure.ts';
import { endOutput, followInput, type InputUse, inputFlags, inputUseOf } from './input-lifeline.ts';
import { ProgramOutput } from './program-output.ts';

const failed = 1;
const interrupted = 143;

export interface StartedServer {
  ready: ServerReady;
  /** Rejects when the read failed or the reader left. */
  served: Promise<void>;
  /** Figures of the read that was served. */
  figures(): WorkFigures;
  close(): Promise<void>;
}

/** Files of the command line, by flag. */
export interface ServerFiles {
  config: string | undefined;
  catalog: string | undefined;
}

export async function runServerProgram(start: (files: ServerFiles) => Promise<StartedServer>): Promise<never> {
  process.on('SIGTERM', () => process.exit(interrupted));
  process.stdout.on('error', () => process.exit(failed));
  const output = new ProgramOutput(process.stdout);
  let use: InputUse | undefined;
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ options: { config: text, catalog: text, ...inputFlags } });
    const { config, catalog } = values;
    use = inputUseOf(values);
    await followInput(use);
    const { ready, served, figures, close } = await start({ config, catalog });
    output.add(`${JSON.stringify(ready)}\n`);
    await output.flush();
    await served.finally(close);
    output.figures = figures();
    await endOutput(output, use);
    process.exit(0);
  } catch (error) {
    output.message(failureMessage(error));
    await endOutput(output, use);
    process.exit(failed);
  }
}
