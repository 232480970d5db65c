/** The coordinator's end of the link to one generator: requests and answers. */
import { type ErrorCode, errorCodes, TopoBenchError } from '@topo-bench/core';
import { type ClockOffset, hostClock, hostClockErrorUs, hostClockName, PendingAnswer } from '@topo-bench/host';
import type { GeneratorHost, GeneratorLink } from '../launcher/launcher.ts';
import type { PartProgress } from '../live/progress.ts';
import { alignClock } from './clock-alignment.ts';
import type { FromGenerator, LoadPart, ShardResult, ToGenerator } from './messages.ts';

type Answer<Type extends FromGenerator['type']> = FromGenerator & { type: Type };

/** The result of a generator, and how long after the start instant it began. */
export interface StartedShard extends ShardResult {
  startLateUs: number;
}

export class Generator {
  readonly #link: GeneratorLink;
  readonly #part: LoadPart;
  readonly #answer = new PendingAnswer<FromGenerator>();
  #threads: number[] | undefined;
  #onDrained: (() => void) | undefined;
  #onProgress: ((progress: PartProgress) => void) | undefined;

  constructor(link: GeneratorLink, part: LoadPart) {
    this.#link = link;
    this.#part = part;
    link.listen({
      onMessage: (message) => this.#receive(message),
      onDeath: (reason, lines) => this.#answer.fail(died(link.name, [reason, ...lines])),
    });
  }

  get name(): string {
    return this.#link.name;
  }

  get host(): GeneratorHost | undefined {
    return this.#link.host;
  }

  async prepare(): Promise<void> {
    this.#threads = (await this.#ask({ type: 'prepare', part: this.#part }, 'ready')).threads;
  }

  /** @returns whether its host allowed it */
  prioritise(): Promise<boolean> {
    return this.#link.prioritise(this.#threads);
  }

  /** @returns its host's clock minus ours; exactly 0 when both are the same clock */
  alignClock(): Promise<ClockOffset> {
    const ours = { nowUs: () => hostClock.nowUs(), errorUs: hostClockErrorUs(), clock: hostClockName() };
    return alignClock(ours, async () => (await this.#ask({ type: 'readClock' }, 'clock')).reading);
  }

  /** @param startAtUs instant on the clock of the generator's host */
  async start(
    startAtUs: number,
    onDrained: () => void,
    onProgress?: (progress: PartProgress) => void,
  ): Promise<StartedShard> {
    this.#onDrained = onDrained;
    this.#onProgress = onProgress;
    const { result, startLateUs } = await this.#ask({ type: 'start', startAtUs }, 'done');
    return { ...result, startLateUs };
  }

  end(): Promise<void> {
    return this.#link.end();
  }

  async #ask<Type extends FromGenerator['type']>(question: ToGenerator, expected: Type): Promise<Answer<Type>> {
    const answer = await this.#answer.ask(() => this.#link.send(question));
    if (answer.type === expected) return answer as Answer<Type>;
    throw new TopoBenchError('TB_INTERNAL', `generator answered ${answer.type}, expected ${expected}`);
  }

  #receive(message: FromGenerator): void {
    if (message.type === 'drained') this.#onDrained?.();
    else if (message.type === 'progress') this.#onProgress?.(message.progress);
    else if (message.type === 'failed') this.#answer.fail(failureOf(message));
    else this.#answer.settle(message);
  }
}

function died(name: string, lines: readonly string[]): TopoBenchError {
  return new TopoBenchError('TB_LOAD_GENERATOR_DIED', `load generator ${name} ended: ${lines.join('\n')}`);
}

function failureOf({ code, message, hint, stack }: Answer<'failed'>): Error {
  if (code !== undefined && code in errorCodes)
    return new TopoBenchError(code as ErrorCode, message, hint === undefined ? {} : { hint });
  return new TopoBenchError('TB_INTERNAL', `load generator: ${stack ?? message}`);
}
