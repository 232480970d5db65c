/** Flink's REST interface: requests to the JobManager of a cluster, and its errors. */
import { TopoBenchError } from '@topo-bench/core';

const timeoutMs = 30_000;
/** A jar has the points of a job. */
const uploadTimeoutMs = 300_000;

interface Answer {
  status: number;
  isOk: boolean;
  text: string;
}

export class FlinkRest {
  readonly #url: string;

  /** @param url `http://host:port`, without user and password */
  constructor(url: string) {
    this.#url = url.replace(/\/+$/, '');
  }

  get<T>(path: string): Promise<T> {
    return this.#request(path, { method: 'GET' });
  }

  /** @returns undefined for a job that Flink does not know, which some of its handlers answer with status 500 */
  async find<T>(path: string): Promise<T | undefined> {
    const answer = await this.#answer(path, { method: 'GET' });
    const isUnknown = answer.status === 404 || (!answer.isOk && answer.text.includes('FlinkJobNotFoundException'));
    return isUnknown ? undefined : this.#read<T>(answer);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.#request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async patch(path: string): Promise<void> {
    await this.#request(path, { method: 'PATCH' });
  }

  async delete(path: string): Promise<void> {
    await this.#request(path, { method: 'DELETE' });
  }

  /** @returns the id of the jar */
  async uploadJar(name: string, parts: readonly Uint8Array[]): Promise<string> {
    const form = new FormData();
    form.append(
      'jarfile',
      new Blob([...parts] as Uint8Array<ArrayBuffer>[], { type: 'application/x-java-archive' }),
      name,
    );
    const { filename } = await this.#request<{ filename: string }>(
      '/jars/upload',
      { method: 'POST', body: form },
      uploadTimeoutMs,
    );
    return filename.slice(filename.lastIndexOf('/') + 1);
  }

  async #request<T>(path: string, init: RequestInit, limitMs = timeoutMs): Promise<T> {
    return this.#read<T>(await this.#answer(path, init, limitMs));
  }

  /** @throws TopoBenchError `TB_FLINK_MISSING` without an answer */
  async #answer(path: string, init: RequestInit, limitMs = timeoutMs): Promise<Answer> {
    try {
      const response = await fetch(`${this.#url}${path}`, { ...init, signal: AbortSignal.timeout(limitMs) });
      return { status: response.status, isOk: response.ok, text: await response.text() };
    } catch (cause) {
      const reason = causeOf(cause as Error);
      throw new TopoBenchError('TB_FLINK_MISSING', `no answer from Flink at ${this.#url}: ${reason}`, {
        hint: 'start the cluster, or correct --flink-url or TOPO_BENCH_FLINK_URL',
        cause,
      });
    }
  }

  /** @throws TopoBenchError `TB_STREAM_ENGINE` when Flink refuses */
  #read<T>({ status, isOk, text }: Answer): T {
    if (isOk) return (text === '' ? {} : JSON.parse(text)) as T;
    throw new TopoBenchError('TB_STREAM_ENGINE', `Flink answers ${status}: ${reasonOf(text)}`, {
      hint: `see the log of the JobManager at ${this.#url}`,
    });
  }
}

function causeOf(error: Error & { cause?: unknown }): string {
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

/** The last cause in the errors of an answer: the first lines are those of the REST interface. */
function reasonOf(text: string): string {
  let errors: unknown;
  try {
    ({ errors } = JSON.parse(text) as { errors?: unknown });
  } catch {
    return text.slice(0, 200);
  }
  const lines = Array.isArray(errors) ? errors.join('\n') : text;
  return rootCause(lines.replace(/^(Internal server error\.|<Exception on server side:)\n/gm, ''));
}

/** @param trace a stack trace of Java @returns the message of its last cause */
export function rootCause(trace: string): string {
  const lines = trace.split('\n').filter((line) => !/^\s+(at |\.\.\. )/.test(line) && line.trim() !== '');
  const causes = lines.filter((line) => line.startsWith('Caused by: '));
  return (causes.at(-1) ?? lines[0] ?? 'no reason').replace(/^Caused by: /, '').trim();
}
