/** The account of one of our own processes. */
import type { RecordBatch } from 'apache-arrow';
import type { Account } from '../job.ts';

const account: Omit<Account, 'cpuSeconds'> = { calls: {}, sentBytes: 0, receivedBytes: 0, built: 0 };

export function noteCall(verb: string, ticket: string): void {
  const name = `${verb} ${ticket}`;
  account.calls[name] = (account.calls[name] ?? 0) + 1;
}

export function noteBuilt(): void {
  account.built++;
}

export function noteSent(bytes: number): void {
  account.sentBytes += bytes;
}

export function noteReceived(bytes: number): void {
  account.receivedBytes += bytes;
}

export function currentAccount(): Account {
  const { user, system } = process.cpuUsage();
  return { ...account, cpuSeconds: (user + system) / 1e6 };
}

/** Bytes of the columns, as `nbytes` of pyarrow counts them. */
export function bytesOf({ data: { children } }: RecordBatch): number {
  let bytes = 0;
  for (const { values } of children) bytes += values.byteLength;
  return bytes;
}
