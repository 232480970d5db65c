/** The coordinator's end of a link to a generator on another host. */
import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { ToGenerator } from '../generator/messages.ts';
import type { GeneratorHost, GeneratorLink, LinkListener } from '../launcher/launcher.ts';
import { FramedChannel } from './framed-channel.ts';
import type { GeneratorAddress } from './generator-address.ts';
import {
  type FromHost,
  type HostCall,
  type HostCalls,
  linkHeaders,
  linkPath,
  linkProtocol,
  type ToHost,
} from './protocol.ts';

export interface LinkOptions {
  /** Id of the coordinator, the same for all of its links. */
  coordinator: string;
  driver: DriverName;
  signal?: AbortSignal | undefined;
  heartbeatMs?: number | undefined;
}

const handshakeMs = 30_000;
/** A host that does not answer in time ends the generator when it misses the heartbeat. */
const endMs = 3000;
const maxRefusalBytes = 1000;

/** @throws TopoBenchError `TB_LOAD_GENERATOR_REFUSED` */
export async function openLink(address: GeneratorAddress, options: LinkOptions): Promise<HttpLink> {
  const { stream, head } = await upgrade(address, options);
  const link = new HttpLink(address, stream, { head, ...options });
  await link.greeted;
  return link;
}

export class HttpLink implements GeneratorLink {
  readonly name: string;
  /** Resolves when the host has answered. */
  readonly greeted: Promise<void>;
  readonly #address: GeneratorAddress;
  readonly #channel: FramedChannel<FromHost, ToHost>;
  readonly #answers: ((answer: unknown) => void)[] = [];
  #listener: LinkListener | undefined;
  /** Present when the generator died before `listen`. */
  #death: Parameters<LinkListener['onDeath']> | undefined;
  #ended = false;
  #host: string;
  #greet: () => void = () => undefined;

  constructor(
    address: GeneratorAddress,
    stream: Duplex,
    { head, driver, heartbeatMs }: LinkOptions & { head: Buffer },
  ) {
    this.#address = address;
    this.name = address.name;
    this.#host = address.host ?? '';
    this.greeted = new Promise((resolve) => {
      this.#greet = resolve;
    });
    this.#channel = new FramedChannel(stream, {
      head,
      heartbeatMs,
      onMessage: (message) => this.#receive(message),
      onEnd: (reason) => void this.#died(reason),
    });
    this.#channel.send({ type: 'launch', driver });
  }

  get host(): GeneratorHost {
    return {
      id: this.#host,
      watch: (fromUs, untilUs) => this.#call({ name: 'watch', asked: { fromUs, untilUs } }),
    };
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    if (this.#death) listener.onDeath(...this.#death);
  }

  send(message: ToGenerator): void {
    this.#channel.send({ type: 'forward', message });
  }

  async prioritise(threads: readonly number[] | undefined): Promise<boolean> {
    return (await this.#call({ name: 'prioritise', asked: { threads } })) ?? false;
  }

  /** Until the link ends. */
  async keepAwake(): Promise<boolean> {
    return (await this.#call({ name: 'keepAwake', asked: {} })) ?? false;
  }

  async end(): Promise<void> {
    await Promise.race([this.#call({ name: 'end', asked: {} }), sleep(endMs, undefined, { ref: false })]);
    this.#ended = true;
    await this.#channel.close();
    this.#settleCalls();
  }

  /** @returns undefined when the link ends first */
  #call<Call extends HostCall>(call: Call): Promise<HostCalls[Call['name']]['answer'] | undefined> {
    return new Promise((resolve) => {
      const id = this.#answers.push(resolve as (answer: unknown) => void) - 1;
      if (this.#death || this.#ended) resolve(undefined);
      else this.#channel.send({ type: 'call', id, call });
    });
  }

  #receive(message: FromHost): void {
    if (message.type === 'hello') {
      this.#host ||= message.host;
      this.#greet();
    } else if (message.type === 'message') this.#listener?.onMessage(message.message);
    else if (message.type === 'answer') this.#answers[message.id]?.(message.answer);
    else this.#report(message.reason, message.lines);
  }

  async #died(reason: string): Promise<void> {
    this.#report(reason, (await this.#address.lastWords?.().catch(() => [])) ?? []);
  }

  #report(...death: Parameters<LinkListener['onDeath']>): void {
    if (this.#death) return;
    this.#death = death;
    this.#greet();
    this.#settleCalls();
    this.#listener?.onDeath(...death);
  }

  #settleCalls(): void {
    for (const answer of this.#answers) answer(undefined);
  }
}

function upgrade(
  { name, url, token, headers, agent, lastWords }: GeneratorAddress,
  { coordinator, signal }: LinkOptions,
): Promise<{ stream: Duplex; head: Buffer }> {
  return new Promise((resolve, reject) => {
    const refused = (problem: string, cause?: unknown): void => {
      const message = `load generator ${name} (${url}) accepts no link: ${problem}`;
      reject(signal?.aborted ? signal.reason : new TopoBenchError('TB_LOAD_GENERATOR_REFUSED', message, { cause }));
    };
    const fail = (error: Error): void => {
      void (lastWords?.().catch(() => []) ?? Promise.resolve([])).then((lines) =>
        refused([error.message, ...lines].join('\n'), error),
      );
    };
    const target = new URL(url.replace(/\/$/, '') + linkPath);
    const { request: open } = target.protocol === 'https:' ? https : http;
    const request = open(target, {
      ...(agent && { agent }),
      ...(signal && { signal }),
      timeout: handshakeMs,
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: linkProtocol,
        [linkHeaders.token]: token,
        [linkHeaders.coordinator]: coordinator,
      },
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${handshakeMs / 1e3} s`)));
    request.on('error', fail);
    request.on('upgrade', (_response, stream, head) => {
      stream.setTimeout(0);
      resolve({ stream, head });
    });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, maxRefusalBytes);
      });
      response.on('error', fail);
      response.on('end', () => refused(`status ${response.statusCode}: ${text.trim()}`));
    });
    request.end();
  });
}
