/** The target of a load and the body of its requests, as the command line names them. */
import { readFile } from 'node:fs/promises';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { LoadFlags } from './options.ts';

/** `127.0.0.1:8080/` and `localhost:8080` are http URLs; a scheme is kept. */
export function withScheme(target: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(target) ? target : `http://${target}`;
}

/**
 * The body, from the flag or from a file, whose bytes stay as they are.
 * @throws TopoBenchError `TB_USAGE` for a file that cannot be read
 */
export async function readBody({
  body,
  bodyFile,
}: Pick<LoadFlags, 'body' | 'bodyFile'>): Promise<string | Buffer | undefined> {
  if (bodyFile === undefined) return body;
  return readFile(bodyFile).catch((cause: NodeJS.ErrnoException) => {
    throw new TopoBenchError('TB_USAGE', `--body-file: cannot read ${bodyFile}: ${systemErrorText(cause)}`, {
      hint: 'name a file that exists and that you may read',
      cause,
    });
  });
}
