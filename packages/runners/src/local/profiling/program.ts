/** One thread of a Node.js program that has loaded `profiling-preload.cjs`, over its connection. */
import type { Socket } from 'node:net';
import type { CpuProfile } from '@topo-bench/core';
import { PendingAnswer } from '@topo-bench/host';

/** First line of a program. */
export interface Greeting {
  pid: number;
  role: string;
  folder: string;
  script: string;
}

export interface OwnProfile {
  profile: CpuProfile;
  cpuUs?: number;
}

interface Message extends Partial<Greeting>, Partial<OwnProfile> {
  /** False where it may not use the inspector. */
  started?: boolean;
}

/** A worker thread that never returns to its event loop gives no answer. */
const answerTimeoutMs = 10_000;

export class Program {
  greeting: Greeting | undefined;
  readonly #socket: Socket;
  readonly #answer = new PendingAnswer<Message>();
  #hasStarted = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) this.#take(JSON.parse(line) as Message);
    });
    // A program may end at any time.
    socket.on('error', () => {});
    socket.on('close', () => this.#answer.fail(new Error('it has ended')));
  }

  /** Begins a profile. Rejects if the program has ended. */
  async start(): Promise<void> {
    const { started } = await this.#ask('start');
    this.#hasStarted = started === true;
  }

  /** The profile since the start; undefined where none was begun. Rejects if the program has ended. */
  async stop(): Promise<OwnProfile | undefined> {
    if (!this.#hasStarted) return undefined;
    const { profile, cpuUs } = await this.#ask('stop');
    return profile && { profile, ...(cpuUs !== undefined && { cpuUs }) };
  }

  close(): void {
    this.#socket.destroy();
  }

  async #ask(command: 'start' | 'stop'): Promise<Message> {
    const late = setTimeout(() => this.#answer.fail(new Error('it is busy')), answerTimeoutMs);
    try {
      return await this.#answer.ask(() => this.#socket.write(`${command}\n`));
    } finally {
      clearTimeout(late);
    }
  }

  #take(message: Message): void {
    if (message.pid !== undefined) this.greeting = message as Greeting;
    else this.#answer.settle(message);
  }
}
