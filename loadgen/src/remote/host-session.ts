/**
 * One link at the host of a generator: a generator process for this coordinator alone. It ends with the link, however
 * the coordinator ended. The process is a child so that a blocked generator (preparing a million requests) still has a
 * heartbeat, and so that each load has a fresh process, as on the coordinator's machine.
 */
import type { Duplex } from 'node:stream';
import {
  type HostUse,
  hostUse,
  keepCoresAwake,
  readHostCpu,
  readHostEnvironment,
  readUsedMemoryBytes,
  sleepUntil,
  type Wakefulness,
} from '@topo-bench/host';
import { drivers } from '../drivers.ts';
import type { GeneratorLink } from '../launcher/launcher.ts';
import { startGeneratorProcess } from '../launcher/processes.ts';
import { FramedChannel } from './framed-channel.ts';
import type { FromHost, HostCall, HostCalls, ToHost } from './protocol.ts';

export interface SessionOptions {
  head: Buffer;
  /** Script of the generator process; default: the usual place. */
  workerPath: string | undefined;
  heartbeatMs?: number | undefined;
}

export class HostSession {
  /** Resolves when the link and the generator process have ended. */
  readonly ended: Promise<void>;
  readonly #channel: FramedChannel<ToHost, FromHost>;
  readonly #workerPath: string | undefined;
  #generator: GeneratorLink | undefined;
  #awake: Wakefulness | undefined;
  #isOpen = true;

  constructor(stream: Duplex, { head, workerPath, heartbeatMs }: SessionOptions) {
    this.#workerPath = workerPath;
    this.#channel = new FramedChannel(stream, {
      head,
      heartbeatMs,
      onMessage: (message) => this.#receive(message),
      onEnd: () => undefined,
    });
    this.#channel.send({ type: 'hello', host: readHostEnvironment().hostname });
    this.ended = this.#channel.closed.then(async () => {
      this.#isOpen = false;
      await this.#awake?.end();
      await this.#generator?.end();
    });
  }

  /** False when the coordinator has gone; the generator process may still be ending. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async close(): Promise<void> {
    this.#channel.destroy();
    await this.ended;
  }

  #receive(message: ToHost): void {
    if (message.type === 'launch') this.#launch(message);
    else if (message.type === 'forward') this.#generator?.send(message.message);
    else void this.#answer(message.id, message.call);
  }

  #launch({ driver }: ToHost & { type: 'launch' }): void {
    if (this.#generator || !Object.hasOwn(drivers, driver)) {
      this.#channel.destroy();
      return;
    }
    this.#generator = startGeneratorProcess(driver, this.#workerPath);
    this.#generator.listen({
      onMessage: (message) => this.#channel.send({ type: 'message', message }),
      onDeath: (reason, lines) => this.#channel.send({ type: 'death', reason, lines }),
    });
  }

  async #answer(id: number, call: HostCall): Promise<void> {
    this.#channel.send({ type: 'answer', id, answer: await this.#call(call) });
  }

  async #call({ name, asked }: HostCall): Promise<HostCalls[keyof HostCalls]['answer']> {
    if (name === 'prioritise') return (await this.#generator?.prioritise(asked.threads)) ?? false;
    if (name === 'end') {
      await this.#generator?.end();
      this.#isOpen = false;
      return true;
    }
    if (name === 'watch') return watchHost(asked.fromUs, asked.untilUs);
    this.#awake ??= await keepCoresAwake();
    return this.#awake !== undefined;
  }
}

/** Other programs of the host cannot be told from the roles here, so foreign load stays unknown. */
async function watchHost(fromUs: number, untilUs: number): Promise<HostUse | undefined> {
  await sleepUntil(fromUs);
  const before = readHostCpu();
  await sleepUntil(untilUs);
  const use = hostUse(before, readHostCpu());
  const rssBytes = readUsedMemoryBytes();
  return use && { ...use, ...(rssBytes !== undefined && { rssBytes }) };
}
