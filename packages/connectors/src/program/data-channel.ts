/** The data channel that a platform requests by environment variables: standard output, or Unix domain sockets. */
import { TopoBenchError } from '@topo-bench/core';

const formats = { STDIO: 'JSONL', SOCKET: 'PROTOBUF' } as const;

/**
 * @returns paths of the sockets; undefined for JSON lines on standard output
 * @throws TopoBenchError `TB_USAGE` for another combination: a platform would wait for records in vain
 */
export function socketPathsOf(environment: Readonly<Record<string, string | undefined>>): string[] | undefined {
  const medium = environment.DATA_CHANNEL_MEDIUM || 'STDIO';
  if (medium !== 'STDIO' && medium !== 'SOCKET') throw unfit('DATA_CHANNEL_MEDIUM', medium, 'STDIO or SOCKET');
  const format = environment.DATA_CHANNEL_FORMAT || formats[medium];
  if (format !== formats[medium]) throw unfit('DATA_CHANNEL_FORMAT', format, `${formats[medium]} over ${medium}`);
  if (medium === 'STDIO') return undefined;
  const paths = (environment.DATA_CHANNEL_SOCKET_PATHS ?? '').split(',').filter(Boolean);
  if (paths.length === 0) throw unfit('DATA_CHANNEL_SOCKET_PATHS', 'no path', 'paths of sockets, with commas');
  return paths;
}

function unfit(name: string, value: string, expected: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', `${name}: got ${value}, expected ${expected}`, {
    hint: 'this connector sends JSON lines to standard output, or protobuf messages to sockets',
  });
}
