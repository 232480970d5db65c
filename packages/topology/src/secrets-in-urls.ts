/**
 * Finds secrets in the addresses and paths of user-supplied services. These are no place for secrets: graph, generated
 * configuration and results contain them, and requests are sent without user and password.
 */
import { isSecretName } from '@topo-bench/core';

/** @returns what the address or path contains, as a part of a sentence; undefined for nothing secret */
export function secretInUrl(text: string): string | undefined {
  const base = 'http://host';
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (url.username !== '' || url.password !== '') return 'it has user and password, which topo-bench does not send';
  const name = [...url.searchParams.keys()].find(isSecretName);
  return name === undefined ? undefined : `results and generated files would contain its parameter "${name}"`;
}
