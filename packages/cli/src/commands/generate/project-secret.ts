/**
 * The secret of a project, from which all others are derived. It is made once and kept, so that writing the project
 * again changes no secret.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { ManifestFile } from '@topo-bench/deployment/manifests';

export const secretPath = 'secrets/secret';
const secretVariable = 'TOPO_BENCH_SECRET';
const minLength = 32;

/**
 * From the variable, else from the file, else a new one.
 * @throws TopoBenchError `TB_GENERATE_SECRET` when it is too short
 */
export async function projectSecret(folder: string): Promise<string> {
  const path = join(folder, secretPath);
  const variable = process.env[secretVariable];
  const given = variable
    ? { text: variable, source: secretVariable }
    : { text: await readOptional(path), source: path };
  if (given.text === undefined) return randomBytes(32).toString('base64url');
  const secret = given.text.trim();
  if (secret.length >= minLength) return secret;
  throw new TopoBenchError(
    'TB_GENERATE_SECRET',
    `${given.source}: got ${secret.length} characters, expected at least ${minLength}`,
    { hint: 'give a longer secret, or remove it: generate then makes one' },
  );
}

export function secretFile(secret: string): ManifestFile {
  return { path: secretPath, text: `${secret}\n` };
}

/** @returns undefined if the file does not exist */
async function readOptional(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
