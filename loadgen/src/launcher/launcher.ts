/** The port of launchers: where load generators run, and how the coordinator reaches them. */
import type { HostUse, Wakefulness } from '@topo-bench/host';
import type { FromGenerator, LoadPart, ToGenerator } from '../generator/messages.ts';

export interface Launcher {
  /** Whether its generators run on other hosts. A generator is then one process, unless the load sets a number. */
  readonly isRemote: boolean;
  /**
   * Starts one generator for each part; resolves when all accept messages.
   * @param signal aborts the start; the promise then rejects with its reason
   * @returns links in the order of the parts
   */
  launch(parts: readonly LoadPart[], signal?: AbortSignal): Promise<GeneratorLink[]>;
  /** Keeps the cores of the generators' hosts from sleeping; undefined where a host does not allow it. */
  keepAwake(): Promise<Wakefulness | undefined>;
}

/** A running generator. Messages arrive whole and in order until the link ends. */
export interface GeneratorLink {
  /** For messages and results. */
  readonly name: string;
  /** Its machine; absent when it is this one, which the caller watches. */
  readonly host?: GeneratorHost;
  /** Must be called once, before the first message is sent. */
  listen(listener: LinkListener): void;
  send(message: ToGenerator): void;
  /**
   * Gives threads of the generator real-time priority on its host.
   * @param threads kernel ids; undefined: all
   * @returns whether the host allowed it
   */
  prioritise(threads: readonly number[] | undefined): Promise<boolean>;
  /** Ends the generator at once. Resolves when it has ended; may be called again. */
  end(): Promise<void>;
}

export interface GeneratorHost {
  id: string;
  /**
   * Watches the machine between two instants of its own clock.
   * @returns undefined where it has no such figures, or when the link ends first
   */
  watch(fromUs: number, untilUs: number): Promise<HostUse | undefined>;
}

export interface LinkListener {
  onMessage(message: FromGenerator): void;
  /** Called when the generator ends before `end`, with the reason and its last lines of output. */
  onDeath(reason: string, lines: readonly string[]): void;
}
