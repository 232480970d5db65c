/** How the certificate of the server is checked: `--ca` and `--insecure`. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { LoadUrlOptions } from '@topo-bench/loadgen/load-url/load-url';
import type { LoadFlags } from './options.ts';

/** @throws TopoBenchError `TB_USAGE` for an address without TLS, or a file without a certificate */
export async function readTls(
  url: string,
  { ca, insecure }: Pick<LoadFlags, 'ca' | 'insecure'>,
): Promise<LoadUrlOptions['tls']> {
  if (ca === undefined && !insecure) return undefined;
  const flag = ca === undefined ? '--insecure' : '--ca';
  if (!/^https:/i.test(url))
    throw new TopoBenchError('TB_USAGE', `${flag} with an http URL: got no TLS, expected https`, {
      hint: `write https://, or leave out ${flag}`,
    });
  if (ca === undefined) return { insecure: true };
  const text = await readFile(ca, 'utf8').catch((cause: unknown) => {
    throw new TopoBenchError('TB_USAGE', `--ca: cannot read ${ca}: ${systemErrorText(cause)}`, { cause });
  });
  try {
    new X509Certificate(text);
  } catch (cause) {
    throw new TopoBenchError('TB_USAGE', `--ca ${ca}: got no certificate, expected one or more in PEM form`, { cause });
  }
  return { ca: text };
}
