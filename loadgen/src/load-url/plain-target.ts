/** User and password of a URL, as the header that carries them. Both drivers then send the same. Source: RFC 7617. */
import { TopoBenchError } from '@topo-bench/core';
import { parseTarget } from '../load-job.ts';
import type { HeaderFields } from '../request-head.ts';

/** @throws TopoBenchError `TB_LOAD_URL`, or `TB_USAGE` for two credentials */
export function plainTarget(text: string, headers: HeaderFields): { url: string; headers: HeaderFields } {
  const url = parseTarget(text);
  if (url.username === '' && url.password === '') return { url: text, headers };
  if (headers.some(([name]) => name.toLowerCase() === 'authorization')) {
    throw new TopoBenchError('TB_USAGE', 'got user and password in the URL and a header authorization, expected one', {
      hint: 'leave one out',
    });
  }
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user.includes(':')) throw new TopoBenchError('TB_LOAD_URL', 'the user in the URL has a colon, expected none');
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  return { url: url.href, headers: [['authorization', `Basic ${credentials}`], ...headers] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TopoBenchError('TB_LOAD_URL', 'user or password in the URL is not percent-encoded', {
      hint: 'write % as %25',
    });
  }
}
