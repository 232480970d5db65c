/** Readiness of a user-supplied service: its health path answers 2xx or, without one, it accepts connections. */
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';

/**
 * Checks once.
 * @returns the problem; undefined if the service is ready
 */
export async function whatIsMissing(
  origin: string,
  healthPath: string | undefined,
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    if (healthPath === undefined) return await accepts(origin, timeoutMs);
    const status = await statusOf(origin + healthPath, timeoutMs);
    return status >= 200 && status < 300 ? undefined : `GET ${healthPath} answered ${status}, expected 2xx`;
  } catch (error) {
    return (error as Error).message || String(error);
  }
}

function accepts(origin: string, timeoutMs: number): Promise<undefined> {
  const { hostname, port, protocol } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the connection timed out')));
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', reject);
  });
}

function statusOf(url: string, timeoutMs: number): Promise<number> {
  const { get } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: timeoutMs }, (response) => {
      // The body may never end.
      response.destroy();
      resolve(response.statusCode as number);
    });
    request.on('timeout', () => request.destroy(new Error('the health check timed out')));
    request.on('error', reject);
  });
}
