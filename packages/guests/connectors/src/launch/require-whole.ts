/** The check that separates a whole result from a partial one. */
import { TopoBenchError } from '@topo-bench/core';
import type { ProgramEnd, ProgramReport } from './launcher.ts';

/**
 * Every program ends with a report that states how many bytes preceded it. Lost bytes, for example of a truncated log,
 * make the counts differ.
 * @param name of the program, for the message
 * @throws TopoBenchError `TB_CONNECTOR_FAILED` for a program that failed or was killed, `TB_CONNECTOR_INCOMPLETE` for
 * lost output
 */
export function requireWhole(name: string, end: ProgramEnd): ProgramReport {
  const { exitCode, report, outputBytes, description, failure, errorLines } = end;
  if (exitCode !== 0) {
    const said = failure === undefined ? errorLines : [failure];
    const lines = said.map((line) => `\n  | ${line}`).join('');
    throw new TopoBenchError('TB_CONNECTOR_FAILED', `${name} ${description}${lines}`, {
      hint: 'its rows were discarded: remove the cause and read again',
    });
  }
  if (report?.outputBytes === outputBytes) return report;
  const expected = report === undefined ? 'a report as the last line' : `${report.outputBytes} bytes`;
  const message = `the output of ${name} is incomplete: got ${outputBytes} bytes, expected ${expected}`;
  throw new TopoBenchError('TB_CONNECTOR_INCOMPLETE', message, {
    hint: 'read again; its rows were discarded',
  });
}
