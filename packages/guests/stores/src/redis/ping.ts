/** Pings a Redis or Valkey server. */
import { createClient } from '@redis/client';

/** Rejects with the driver's error when the server does not answer. */
export async function ping(url: string, timeoutMs: number): Promise<void> {
  const client = createClient({
    url,
    socket: { connectTimeout: timeoutMs, socketTimeout: timeoutMs, reconnectStrategy: false },
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
  } finally {
    if (client.isOpen) client.destroy();
  }
}

export function isLoginFailure({ message }: Error): boolean {
  return /^(WRONGPASS|NOAUTH|NOPERM)\b/.test(message);
}
