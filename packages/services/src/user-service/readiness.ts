/** Whether the user's own service is ready: it answers its health path, or accepts connections when it has none. */
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';

/** One attempt; @returns what is missing, undefined when it is ready */
export async function whatIsMissing(
  origin: string,
  healthPath: string | undefined,
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    if (healthPath === undefined) return await accepts(origin, timeoutMs);
    const status = await statusOf(origin + healthPath, timeoutMs);
    return status >= 200 && status < 300 ? undefined : `GET ${healthPath} answers ${status}`;
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
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('it does not accept connections')));
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
      response.resume();
      resolve(response.statusCode as number);
    });
    request.on('timeout', () => request.destroy(new Error('its health check hangs')));
    request.on('error', reject);
  });
}
