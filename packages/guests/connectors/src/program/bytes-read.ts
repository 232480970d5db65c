/** Bytes that this program reads, from sockets and files: what it takes from a store while it does nothing else. */
import { readBytesRead } from '@topo-bench/host';

/** @returns the bytes since this call; undefined where the system does not count them */
export function bytesRead(): () => number | undefined {
  const before = readBytesRead(process.pid);
  return () => {
    const after = readBytesRead(process.pid);
    return before === undefined || after === undefined ? undefined : after - before;
  };
}
