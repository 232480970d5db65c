/** Pings a MongoDB-protocol server. */
import { MongoClient } from 'mongodb';

/** Rejects with the driver's error when the server does not answer. */
export async function ping(url: string, timeoutMs: number): Promise<void> {
  const limits = { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs, socketTimeoutMS: timeoutMs };
  const client = new MongoClient(url, limits);
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
}

/** Codes of the server: Unauthorized and AuthenticationFailed. */
export function isLoginFailure(error: Error): boolean {
  const { code } = error as Error & { code?: unknown };
  return code === 13 || code === 18;
}
